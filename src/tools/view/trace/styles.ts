// Styles of traces.

export const TRACE_STYLES = `
main { max-width: 76rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
h4, h5 { font-size: .93rem; margin: 1.25rem 0 .5rem; }
a { color: var(--sealed); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
dl.failed dd:nth-of-type(-n+2) { color: var(--failed); font-weight: 600; }
table { border-collapse: collapse; font-size: .93em; }
caption { text-align: left; color: var(--muted); }
th { text-align: left; font-weight: 600; }
th, td { padding: .2rem .75rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.notice { border-left: 3px solid var(--pool); background: var(--surface); padding: .5rem .75rem; }
.scrolling { overflow: auto; max-height: 32rem; }
button { font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--line); border-radius: 4px; padding: .2rem .6rem; cursor: pointer; }
.tree { font-size: .95em; }
.tree details { border-left: 2px solid var(--line); padding-left: .6rem; margin: 2px 0; }
.tree details.failed { border-left-color: var(--failed); }
.tree summary { cursor: pointer; padding: .1rem 0; overflow-wrap: anywhere; }
.tree summary:hover { background: var(--surface); }
.tree details > div { padding-left: 1rem; }
.tree .gas { color: var(--muted); font-family: var(--mono); font-size: .9em; }
.tree .function { color: var(--sealed); }
.tree .kind, .tree .paid { color: var(--muted); font-size: .9em; border: 1px solid var(--line); border-radius: 3px; padding: 0 .3em; }
.error { color: var(--failed); }
.tree .event { color: var(--event); }
.tree .around { color: var(--muted); font-size: .85em; overflow-wrap: anywhere; }
.tree .line { display: flex; flex-wrap: wrap; gap: .1rem .6rem; padding: .05rem 0; }
.tree .line > * { min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.tree .label { color: var(--muted); min-width: 5.5em; }
.source { margin: .4rem 0; }
.source .place { margin: 0; }
.source pre { margin: .2rem 0 0; padding: .4rem 0; background: var(--surface); border: 1px solid var(--line); border-radius: 4px; overflow-x: auto; }
.source pre > * { display: block; width: max-content; min-width: 100%; padding-right: 1rem; }
.source mark { color: inherit; background: color-mix(in srgb, var(--failed) 18%, var(--surface)); box-shadow: inset 3px 0 var(--failed); }
.source .number { color: var(--muted); user-select: none; }
.source mark .number { color: inherit; }
.flame { margin: 0; }
.flame-graph { display: block; font-family: var(--mono); font-size: 12px; }
.bar { cursor: pointer; outline: none; }
.bar rect { fill: color-mix(in srgb, var(--sealed) 26%, var(--background)); }
.bar.failed rect { fill: color-mix(in srgb, var(--failed) 28%, var(--background)); }
.bar.whole rect { fill: var(--line); }
.bar.paid rect { fill: color-mix(in srgb, var(--pool) 26%, var(--background)); }
.bar:hover rect { filter: brightness(.92); }
.bar:focus-visible rect { stroke: var(--focus); stroke-width: 4px; }
.bar text { fill: var(--text); pointer-events: none; }
.flame-told { color: var(--muted); padding-top: .3rem; min-height: 1.8em; }
@media (max-width: 600px) {
  main { padding: .75rem .75rem 3rem; }
  .tree details { padding-left: .3rem; }
  .tree details > div { padding-left: .4rem; }
  dl { grid-template-columns: 1fr; }
  dt { margin-top: .3rem; }
}
`
