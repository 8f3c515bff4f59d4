"""The style of pages about runs: the report and the viewer. They are read at a desk and on a telephone."""

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1d2430; }
body, summary, td:first-child { overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: .9rem; } .wide { overflow-x: auto; margin: 1rem 0; }
th, td { border-bottom: 1px solid #d5dae2; padding: .3rem .7rem; text-align: right; white-space: nowrap; }
thead th { border-bottom: 2px solid #9aa3b0; vertical-align: bottom; }
thead th { white-space: normal; max-width: 9rem; overflow-wrap: normal; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: #fff; z-index: 1; }
td:first-child { white-space: normal; min-width: 7rem; max-width: 18rem; }
tr.published td, tr.published td:first-child { color: #5c6675; background: #f3f4f6; }
tr.ours td:first-child { font-weight: 600; }
tr.group td:first-child { color: #5c6675; padding-top: .8rem; } tr.difference td { color: #5c6675; font-size: .8rem; }
.bar { display: block; position: relative; height: 4px; margin-top: 2px; min-width: 3rem; background: #e9edf3; }
.bar i { position: absolute; top: 0; bottom: 0; background: #2563a8; } tr.published .bar i { background: #9aa3b0; }
table.facts { margin: .3rem 0 .8rem 1.2rem; } table.facts td { text-align: left; white-space: normal; }
table.facts td:first-child { color: #5c6675; font-weight: 400; vertical-align: top; }
small, .note { color: #5c6675; } .missing { color: #b3261e; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem 3rem; align-items: flex-start; }
svg.bars { flex: 1 1 20rem; max-width: 36rem; min-width: 0; }
svg.radar { flex: 0 1 460px; max-width: 100%; min-width: 0; }
details { margin: .4rem 0; } summary { cursor: pointer; } summary:hover { color: #2563a8; }
details.file > summary, details.paper > summary { font-weight: 600; } summary small { font-weight: 400; }
details details { margin-left: 1.2rem; }
.turn { display: grid; grid-template-columns: 226px minmax(0, 1fr); gap: 1.2rem; border-top: 1px solid #e4e8ee;
  padding: .8rem 0; }
.turn img { width: 224px; max-width: 100%; border: 1px solid #d5dae2; border-radius: 3px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; font-size: .85rem; }
.reply { background: #eef4fb; padding: .4rem .6rem; border-radius: 4px; } .refused { background: #fbeeee; }
.key span { margin-right: 1.2rem; } .key i { display: inline-block; width: .8rem; height: .8rem; }
svg text { font: 12px system-ui, sans-serif; fill: #1d2430; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
svg .faint { fill: #5c6675; }
@media (max-width: 44rem) {
  body { margin: 1rem auto; } h1 { font-size: 1.5rem; }
  th, td { padding: .3rem .45rem; } td:first-child { min-width: 6rem; max-width: 34vw; }
  .turn { grid-template-columns: minmax(0, 1fr); gap: .5rem; } details details { margin-left: .5rem; }
  table.facts { margin-left: 0; } table.facts td:first-child { max-width: 40vw; }
}
"""
