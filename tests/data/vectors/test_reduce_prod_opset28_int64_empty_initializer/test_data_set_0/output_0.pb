BreducedJG
9yYšO