"""One module per graph engine, and what those that speak Cypher share."""
