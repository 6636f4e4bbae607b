
BreducedJjD—EKEÑE