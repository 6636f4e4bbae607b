
BreducedJ˜ÈgJ(H„G(EBFuH&H