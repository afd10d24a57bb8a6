"""Turns what agents report and write (hook payloads, transcripts) into redacted records in the store.

`hook` and `inbox` take events in, `agents/` knows one agent per module, `lines` follows a growing file, `recorder`
builds records, `ingest` stores them, `backfill` finds old transcripts.
"""
