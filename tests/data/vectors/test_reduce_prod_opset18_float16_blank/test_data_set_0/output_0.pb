
BreducedJ	9