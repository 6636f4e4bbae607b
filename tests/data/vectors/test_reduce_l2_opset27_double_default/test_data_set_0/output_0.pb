BreducedJ
W}g‡i @