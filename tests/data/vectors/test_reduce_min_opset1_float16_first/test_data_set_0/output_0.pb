
BreducedJ
s√‚√u√Ö√â√