
BreducedJ’B|BRC=BÖC§CºBéC´B1C’CC