
BreducedJüA