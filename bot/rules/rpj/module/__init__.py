"""What a campaign's module states: attributes, skills, traits, gear, spells, effects."""
