
BreducedJ¡<