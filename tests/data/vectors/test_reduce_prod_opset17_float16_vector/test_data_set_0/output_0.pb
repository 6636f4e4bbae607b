
BreducedJ4M