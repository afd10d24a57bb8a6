"""Durable batches in, domain answers out: journal, leases, applier, engines, backups.

No query language leaves this package.
"""
