BreducedJ U=¿…¿v¿+…¿
$?hy¿ãV|¿)e¿“A¿