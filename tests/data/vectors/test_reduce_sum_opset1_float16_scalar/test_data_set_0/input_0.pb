
BdataJ‹: