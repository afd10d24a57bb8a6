"""One file a topic. Each has a ``TITLE``, its ``CODES`` and ``check(subject)``; `doctor.registry` lists them."""
