
BreducedJXL