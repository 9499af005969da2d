"""What agents' messages and looks at the disk become: facts."""
