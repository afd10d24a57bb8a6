"""What happened: sessions, what was said and done in them, found again, summed up and looked at for trouble."""
