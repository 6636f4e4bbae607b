
BreducedJ‹: