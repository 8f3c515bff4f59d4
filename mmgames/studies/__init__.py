"""Studies with people: games and questions for participants who come by a link, in a browser. The extra is `play`.

study_file.py      what a study is, read from its TOML file and checked
assignment.py      who plays what when and where: balanced orders and seats
study_state.py     who has done what, from a journal that survives a kill
study_folder.py    results files, journals of replies, and deals that nobody sees twice
study_rounds.py    games and questions in which participants are waited for, with limits
hosted_study.py    the study as it goes on: participants, the lobby, rounds
flat_table.py      all of it as one table
rehearsal.py       made-up participants go through a study
forgetting.py      takes a participant out of a study's files
server.py          all of that over HTTP, with a page of progress for the experimenter
static/            the pages themselves
"""
