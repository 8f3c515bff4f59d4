"""The words of the page about Iterative-SPO, with a place for each table of spo_page.py.

What it concludes was written by people who had read the tables; after a new run it has to be read again.
"""

EQUATIONS = (
    (
        "Eq. 1",
        "a clue earns the spy -β(v_s - v̄), civilian j β/n (v_s - v̄) - λ(v_j - v̄), β = λ = 0.1",
        "`clue_rewards`; line 6 of Algorithm 1 has v_j in place of v_s, Eq. 1 is taken",
        "yes",
    ),
    (
        "Eq. 2",
        "a running mean for each role, α = 0.95, from zero, brought up to date after every round, then subtracted",
        "`RoleBaselines`; `baselines=batch` does it once for a batch, `roles=False` not at all",
        "yes; it was once a batch before",
    ),
    (
        "Eq. 3, 6",
        "advantage times log-probability, less 0.04 of the divergence from the reference",
        "the same, but a batch is used for four steps with a clipped ratio (0.2); `epochs=1` makes one step",
        "no, on purpose: rounds are dearer to play than to learn from",
    ),
    ("Eq. 4", "a vote earns 1 if right, -0.5 for N/A, -1 if wrong", "`vote_rewards`", "yes"),
    (
        "Eq. 5",
        "less the mean of the round's civilians, over their deviation",
        "`vote_advantages`; nothing if all are alike",
        "yes",
    ),
    (
        "Eq. 7",
        "how often the likeliest vote is right, and how likely N/A is, on held-out rounds",
        "64 rounds that stay the same, on pictures that nobody learns from (`held_out`); 0: votes of the batch",
        "yes; it was the batch before, and is for a language model, whose likeliest votes would cost a second reply",
    ),
    (
        "Eq. 8",
        "running means of both, ρ = 0.95, from zero",
        "`StageSwitch`; `from_zero=False` begins with the first value",
        "yes; it was the first value before",
    ),
    (
        "switch",
        "decisions until 0.9 right and at most 0.1 N/A, clues until 0.4 wrong or 0.5 N/A, for 5 to 20 updates",
        "the same; all of them can be set",
        "yes",
    ),
)

PAGE = """\
# Iterative-SPO on Spy

Written by `python -m mmgames.baselines.learning.spo_ablations --out DIR --markdown FILE` from the files in
DIR/results. A small player (an eye, a choice among sentences that it can ground in its picture, a vote) learns by the
self-play of Vision-Zero. The variants of a seed share one eye, warmed up on the generator's labels; it then sees
{sharpness} % of all objects entirely right, and is not trained further. A run has 100 iterations of 128 rounds unless
its name says otherwise. ± is one standard error over the seeds; shares are in per cent.

## The equations, one by one

{equations}

How far the spy's baseline has come to what spies earn (100: it is subtracted in full):

{baselines}

Once a batch was too slow for the first clue stages, so the ablation of the baselines was half hollow. It is not now,
and the outcome is the same (below): with and without them the policies are equally good. A baseline leaves the expected
gradient as it is and takes noise out of it; a policy with half a dozen sentences has little of that noise. The other
two forms change nothing either: where no switch comes from the votes, it does not matter how votes are measured, and
`earlier form` has learned exactly what `baselines by batch` has.

## What the switches come from

{switches}

`thresholds`: they began to hold after the shortest stage was over. `shortest`: they had held before, and the shortest
stage was waited for. `longest`: they did not hold within the longest stage. In brackets below: the running means of
accuracy and of N/A at the switch.

{causes}

From zero and with ρ = 0.95 the mean of n perfect updates is 1 - 0.95^n: 0.64 after 20, and 0.9 only after 45. So with
the paper's numbers the first stage always ends at 20, and the first clue stage at 25 for everybody whose likeliest
votes are right less than 83 % of the time: a timetable, whatever the player does. At the standard table it stays one.
The likeliest votes are right 62 to 81 % of the time when the first stage ends, 21 to 31 % after 100 iterations, and the
mean never passes 0.51. Decisions alone, without clues that are learned, come to 0.73 at most.

`{easy}` is a table with three clue rounds and three changed objects, where votes are right 91 to 97 % of the time
after twenty iterations on them, with ρ = 0.75 (the mean follows within a stage), decisions until 0.62 right and at
most 0.4 N/A, clues until 0.42 wrong, stages of 3 to 60 updates, and 150 iterations. There 14 of 19 switches come from
the votes: 9 when a threshold was crossed, 5 that had waited for the shortest stage. With the paper's thresholds the
same table has 1 and 3 of 17. Votes do not come back to 0.9 there either, not even after 60 updates on decisions: the
spy has learned to speak without giving itself away, and N/A becomes the better answer. Thresholds have to be found
for a game; these were chosen after seven shorter trial runs with one seed and batches of 64.

## Against earlier selves

{leagues}

Each snapshot is the spy among the civilians of each other one, at the table that it was trained at. Against the policy
of iteration 0 nothing is gained after the first snapshot, since that one votes without listening. In the league there
is growth, and then there is not. At the standard table the mean win rate rises from 35 % at iteration 20 to 55 % at
100, as the spy from 33 to 68 %; after that no rise is clear of its error (55.5 ± 0.3 % at 100, 57.7 ± 1.9 % at 200).
The easier table levels off after some 75 iterations. So self-play goes on teaching for about a hundred iterations what
the untrained opponent cannot show. Growth without an end was not found; a player that chooses one of six sentences and
weighs eight numbers has little room for it.

![Curves]({curves})

## Variants

All play at the same table (four civilians, two clue rounds, two changes), {rounds} rounds as the spy among the
civilians of each other variant of the seed, all on the same pictures. The spy wins unless it alone has the most votes.

{variants}

How often the spy of a row wins among the civilians of a column:

{crossed}

- Alternating beats both stages alone: clues are learned only against those who listen, so `clue only` stays what the
  untrained policy is, and `decision only` votes as well but gives itself away as the spy.
- Fewer civilians at the training table make better civilians at this one (61 % with two, 55 with three, 40 with four).
  With four, votes turn to N/A (61 % of the probability at the end, 46 with three, 9 with two), which catches nobody.
  With two, the spy learns less.
- One, two or three clue rounds: the fewer, the better the spy (70, 67, 65 %).
- A fifth of failed edits (the spy's picture blank or the original) costs nothing that could be measured.

## Partners with another eye

How often the spy (named first) is caught by civilians of a run's own seed, by a table in which every other civilian is
a `stranger`, who learned from the next seed with an eye of its own, and by strangers alone:

{strangers}

It is no private code. Strangers alone catch the spy as often as the own team, and a trained spy hides from strangers as
well as from its own. A mixed table catches an untrained spy 5 to 6 points less often, which we put down to eyes that
err differently: what one civilian sees wrong, others with the same eye see wrong too and do not hold against it.

## Other tasks

{questions} questions each, scored by the task. Counting and comparing is the eye's work, which the game does not train,
so these two are the same before and after. `Spy-Difference` is answered by the vote: each object of the second picture
is told to it by one player, while another tells the truth. `Spy-ReadChart` asks for words in a picture, which this eye
cannot read: there is nothing to measure but chance, 25 %.

{tasks}

What the vote has learned carries over to finding differences, and only a policy that had decision stages has it. Most
of it is the eye's doing: of the player that comes with mmgames, the eye's words for the two pictures, compared one by
one, are right in 80.0 %, and its vote, which weighs how sure the eye is, in 86.5 % of 200 questions
(`spy_answers.score(policy, "Spy-Difference", 200, 0)`, with and without `answer=spy_answers.other_words`).

## Beside the paper

The paper reports that its language model went from 50 % to 71 % against the untrained one in 100 iterations of 128
rounds. Its ablations are accuracies on other benchmarks, not win rates, so they cannot stand beside these.
"""
