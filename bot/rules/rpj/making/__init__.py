"""Making a character step by step: what a draft says, and the pages that ask for it."""
