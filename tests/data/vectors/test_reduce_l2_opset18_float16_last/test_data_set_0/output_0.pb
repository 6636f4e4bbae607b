
BreducedJ÷JÜKÅKwK