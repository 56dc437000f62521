"""What a module defines: attributes, skills, traits, gear, spells, effects."""
