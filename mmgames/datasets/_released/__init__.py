"""Questions of the papers' released files, which users have on disk: read, asked, and scored by both rules."""
