
BreducedJÌCÈCÒC’C