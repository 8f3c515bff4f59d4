"""The questions about kitchens: who acts, which plan, which way."""
