"""What happens by itself when its time has come."""
