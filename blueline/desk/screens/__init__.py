"""What only the workbench asks for: whole screens, and what a person types in them."""
