BdataJxQL!-`G
-.JO^!:da[+]HV4A<,U	b$UYV6D%R_OU[-9L%=ET
P3")B6# @#;VZ;."_`aHb4E1O9:<W;>dO%c.+c