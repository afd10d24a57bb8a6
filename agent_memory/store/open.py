"""The store of one home: append durably, apply in order, read behind a lease. (Contract; see class docstrings.)"""
