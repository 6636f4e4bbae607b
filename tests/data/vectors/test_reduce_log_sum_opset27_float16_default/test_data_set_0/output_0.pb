
BreducedJøA