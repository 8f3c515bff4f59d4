"""Who is the spy?"""

SPECS = ()
