
BreducedJïC