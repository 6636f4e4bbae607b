%BdataJ¹(-*G>#T)K-b?WT:E9V@I)'aKS^GN_85?B4>!T/A@W15QN);GF/-9;Q>@0PCFQR?FHWO`;IZ:ZSM8-S"34TOKSP9@[&RZ<1(*M#U PW-/;W$;AJXA:WE
IP%&*!AbY0L1