"""The program itself: its command line, its settings, its connection to Discord, its health."""
