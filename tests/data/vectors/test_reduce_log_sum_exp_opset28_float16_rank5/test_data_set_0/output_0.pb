
BreducedJEaEUDbE