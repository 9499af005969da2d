"""The words: frozen values, ids, facts."""
