"""Characters: make, show, export and admit them."""
