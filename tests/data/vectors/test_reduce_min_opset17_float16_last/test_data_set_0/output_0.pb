
BreducedJ$ÃÆÂÃ¹Ã