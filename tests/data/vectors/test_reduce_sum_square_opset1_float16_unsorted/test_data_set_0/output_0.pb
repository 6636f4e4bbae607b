
BreducedJ,QBTIRuTgTT TlQ¨TFT\VsT