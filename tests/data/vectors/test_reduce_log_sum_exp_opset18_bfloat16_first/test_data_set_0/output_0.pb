BreducedJ
µ@»@·@¼@²@