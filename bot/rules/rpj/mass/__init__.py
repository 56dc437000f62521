"""Mass combat."""
