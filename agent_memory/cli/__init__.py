"""One file per command: parse, call one function of ``app``, render its result through ``output``."""
