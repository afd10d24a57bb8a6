"""One module per agent: where its transcripts are, how to read them, what its hooks say and expect."""
