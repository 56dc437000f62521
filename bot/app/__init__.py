"""The application: its command line, settings, connection to Discord and health checks."""
