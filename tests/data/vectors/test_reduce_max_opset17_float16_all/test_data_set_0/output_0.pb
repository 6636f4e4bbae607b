
BreducedJáC