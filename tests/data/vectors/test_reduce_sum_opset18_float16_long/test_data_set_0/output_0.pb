
BreducedJ‹i‹i