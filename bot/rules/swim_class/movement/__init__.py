"""Getting about."""
