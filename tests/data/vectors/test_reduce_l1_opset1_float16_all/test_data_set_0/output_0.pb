
BreducedJ;Y