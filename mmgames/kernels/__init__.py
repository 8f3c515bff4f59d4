"""Rules as compiled functions over rows of integers, and what plays thousands of rows."""
