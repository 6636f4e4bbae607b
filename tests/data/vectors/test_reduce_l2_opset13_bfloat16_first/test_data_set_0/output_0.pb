BreducedJ
dA\AtAPAjA