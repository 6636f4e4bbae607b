BreducedJ ¹oZ—d@
"Í:^O@Mgük’@x@¦*Bë@