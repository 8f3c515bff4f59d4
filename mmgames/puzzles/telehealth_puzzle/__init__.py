"""A solver sees a skin lesion and a patient's profile; an expert has a made-up guide to diagnosis and treatment."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
