"""Makes the page's types and the tables in the docs from `blueline/contract/`."""
