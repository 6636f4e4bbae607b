
BreducedJ5F©D@Ô@;DDrEÿDQEeD2FùEØC4FÈE