"""Values as text and pictures, without any Discord code."""
