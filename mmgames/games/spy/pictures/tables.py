"""What charts are about: titles, what is measured in which unit, and the items of a table."""

from __future__ import annotations

from typing import NamedTuple


class Theme(NamedTuple):
    title: str
    unit: str
    items: tuple[str, ...]
    ordered: bool = False  # the items follow each other in time, as a line chart's have to


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_YEARS = tuple(str(year) for year in range(2012, 2025))
_HOURS = ("6 h", "8 h", "10 h", "12 h", "14 h", "16 h", "18 h", "20 h", "22 h")

THEMES = (
    Theme("Visitors to the town library", "hundred visitors", _MONTHS, True),
    Theme("Bicycles crossing the old bridge", "hundred bicycles", _DAYS, True),
    Theme("Rain at the harbour station", "millimetres", _MONTHS, True),
    Theme("Students of the evening school", "students", _YEARS, True),
    Theme("Passengers of the night ferry", "thousand passengers", _YEARS, True),
    Theme("Power from the roof panels", "kilowatt hours", _HOURS, True),
    Theme("Tickets sold at the museum", "hundred tickets", _DAYS, True),
    Theme("Loaves baked in a small bakery", "loaves", _DAYS, True),
    Theme("Trees planted in the new park", "trees", ("Oak", "Lime", "Maple", "Birch", "Pine", "Ash", "Elm", "Beech")),
    Theme(
        "Fruit picked at the orchard", "crates", ("Apples", "Pears", "Plums", "Cherries", "Quinces", "Figs", "Grapes")
    ),
    Theme("Drinks ordered in the station cafe", "cups", ("Tea", "Coffee", "Cocoa", "Juice", "Water", "Milk", "Soda")),
    Theme(
        "Instruments taught at the music school",
        "pupils",
        ("Piano", "Violin", "Flute", "Guitar", "Drums", "Cello", "Harp"),
    ),
    Theme("Birds counted by the lake", "birds", ("Ducks", "Swans", "Herons", "Gulls", "Coots", "Geese", "Terns")),
    Theme(
        "Books lent by subject", "books", ("History", "Poetry", "Travel", "Science", "Art", "Crime", "Law", "Cooking")
    ),
    Theme(
        "Fish sold at the morning market", "kilograms", ("Cod", "Herring", "Trout", "Salmon", "Eel", "Perch", "Tuna")
    ),
    Theme(
        "Repairs in the bicycle shop", "repairs", ("Tyres", "Brakes", "Chains", "Lights", "Gears", "Pedals", "Bells")
    ),
    Theme("How pupils come to school", "pupils", ("On foot", "Bicycle", "Bus", "Tram", "Car", "Train")),
    Theme("Cheese made at the dairy", "wheels", ("Brie", "Gouda", "Feta", "Edam", "Ricotta", "Cheddar")),
)
