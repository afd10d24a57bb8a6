"""Migrations, ontology and shapes of the graph."""
