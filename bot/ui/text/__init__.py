"""Values as text and pictures; knows no Discord."""
