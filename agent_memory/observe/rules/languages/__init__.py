"""Words by which people and agents mark what they are doing, one module for each language."""
