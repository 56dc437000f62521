"""The journal: write, read, undo, export and verify entries, and make recaps."""
