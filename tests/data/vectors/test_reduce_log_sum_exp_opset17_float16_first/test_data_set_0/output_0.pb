
BreducedJ
ËEEqE÷EçE