"""Fire and Movement: ammunition, cover, and what keeps heads down."""
