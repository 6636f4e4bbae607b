
BreducedJüP