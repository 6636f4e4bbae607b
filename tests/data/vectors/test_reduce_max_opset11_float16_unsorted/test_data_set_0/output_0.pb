
BreducedJ}C«?øBrCœBÕCÄCKA#CfCûC*C