"""The facts that the gate's answer rests on, and where they are kept."""
