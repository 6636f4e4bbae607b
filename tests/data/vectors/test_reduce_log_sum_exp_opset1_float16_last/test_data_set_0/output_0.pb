
BreducedJ%F–EÛE'F