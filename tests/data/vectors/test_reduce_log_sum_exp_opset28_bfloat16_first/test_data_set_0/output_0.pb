BreducedJ
Ä@¿@¼@¹@¼@