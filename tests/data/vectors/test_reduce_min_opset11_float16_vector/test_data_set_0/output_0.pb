
BreducedJ®Ã