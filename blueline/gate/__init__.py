"""May it ship: running reviews, shipping, and the places outside of Blueline that ask the gate."""
