
BreducedJ5I