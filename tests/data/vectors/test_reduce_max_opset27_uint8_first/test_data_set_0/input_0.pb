%BdataJ¹dD\Id`W&"UV1M4Wc57\	H(1_4X$>V
8/I`A+\C/H75&Y7 !RP=^6L$/GJ($+L:<>>!>P3F8/c569X^bP#7bA_a02TJC61+2
bZ^c	'SVb"Jd'JRZ)V1:>H"TT3CE&,#	