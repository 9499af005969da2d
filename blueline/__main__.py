"""`python -m blueline` is the `blueline` command."""

import sys

from blueline.surfaces.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
