
BreducedJ{M