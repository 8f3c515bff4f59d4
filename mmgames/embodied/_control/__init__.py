"""Robots under control: ManiSkill's physics as games of this suite, and what their rules, pictures and words share."""
