"""From plan to physics: plans of the planning world, carried out by ManiSkill's robots in SAPIEN's physics.

`Kitchen` is the scene, `skills` are what robots do for an action, `execute` follows a plan and reports. SAPIEN is
imported when the first kitchen is built.
"""
