"""One module per agent; each satisfies the protocol in ``base``. Only ``install.registry`` lists them."""
