
BdataJ9=;BøBş8ÌÂÖA¼±Á3B|¼sBÍ=