
BreducedJ2B