"""What each agent has to hear of what became of its changes."""
