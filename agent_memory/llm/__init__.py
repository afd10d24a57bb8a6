"""Language models, optional: a question becomes a checked answer, within a budget.

``base`` is what a provider must do (two methods), ``open`` chooses one by name, ``providers`` holds them. ``asking``
asks: formats, retries, one repair; ``parse`` finds the JSON in what came back; ``budget`` reserves before a call and
meters after it; ``usage`` sums up what was metered. Only the worker gets here, and nothing is imported before a model
is named in the settings.
"""
