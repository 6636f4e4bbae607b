
BreducedJ@V