"""One module for each way to reach a model; a provider's library is imported only in its own."""
