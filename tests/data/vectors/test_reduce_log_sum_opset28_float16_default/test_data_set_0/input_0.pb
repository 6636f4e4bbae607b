
BdataJ†@ÙA%:¸<bBZ@@ä?6>A8=<