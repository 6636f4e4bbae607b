
BreducedJ¬E