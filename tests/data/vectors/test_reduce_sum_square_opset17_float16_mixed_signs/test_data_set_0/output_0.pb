
BreducedJTS>SUyQæSùRS