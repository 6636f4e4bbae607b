
BreducedJ3[ÞZW[f[