
BreducedJ
‰UïTÒT UêT