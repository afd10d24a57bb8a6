"""From what was said in a session to what is remembered of it: ``rules`` or a model propose, ``pipeline`` decides."""
