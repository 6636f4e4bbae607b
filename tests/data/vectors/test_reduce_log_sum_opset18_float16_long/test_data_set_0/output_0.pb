
BreducedJNJ