
BreducedJÙVÙV