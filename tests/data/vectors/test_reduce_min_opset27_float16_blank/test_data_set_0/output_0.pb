
BreducedJöÃ