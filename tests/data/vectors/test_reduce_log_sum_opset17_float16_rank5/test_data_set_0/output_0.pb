
BreducedJXCCDC
C