"""`python -m mmgames` is the same as `mmgames`."""

import sys

from mmgames.cli import main

sys.exit(main())
