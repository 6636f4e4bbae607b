C
BdataJ†ú8|< Ã~A>:¡ÂìÀ>AŠ:ùBâBQCºBìÀRÂ²@É>J:ÂBáC~CBq<z9Ë@t8QC7¾ïCtC½É=EA@gA®Ãƒ<Q@G@3@uCíB}C™º¾¼?Ã=VBÎ½øÁu¼º{¸°Aõ?dÃ¯>ƒ=£=ˆCı@ 8÷=pBÁÂºÃ