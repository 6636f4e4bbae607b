
BdataJ©Â B¿¹BA;=ƒ<„ÀdÁšÂ&Ã%B^B×¿I?