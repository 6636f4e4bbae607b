
BdataJ0~รAบบp>oC(B฿?ศCจร9็?=9๖รฏCUC5Cbยภ?Af<b@ย๚C