
BreducedJÈT