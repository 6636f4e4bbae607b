
BreducedJ­G¿IRKHVIÑH!JFHH±I”JI