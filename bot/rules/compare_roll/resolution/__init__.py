"""Resolution."""
