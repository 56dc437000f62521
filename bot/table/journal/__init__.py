"""The journal: writing, reading, taking back, exporting, verifying, recaps."""
