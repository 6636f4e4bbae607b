
BdataJ¡<