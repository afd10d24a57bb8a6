"""The one-shot worker: `control` starts it detached, `slot` keeps it single, `worker` runs it and ends it."""
