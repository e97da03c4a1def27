// Styles of traces.

import { EXCERPT_STYLES } from '../source-excerpt.ts'
import { DEBUGGER_STYLES } from './debugger-styles.ts'

export const TRACE_STYLES = `${EXCERPT_STYLES}${DEBUGGER_STYLES}
.debugging { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 24px; align-items: start; }
.debugging .tree { max-height: 56rem; overflow: auto; }
.tree summary[aria-current] { background: color-mix(in srgb, var(--focus) 18%, var(--background)); }
@media (max-width: 1000px) { .debugging { grid-template-columns: minmax(0, 1fr); } .debugging .tree { max-height: 24rem; } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
dl.failed dd:nth-of-type(-n+2) { color: var(--failed); font-weight: 600; }
.notice { border-left: 3px solid var(--pool); background: var(--surface); padding: .5rem .75rem; }
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
@media (max-width: 600px) {
  .tree details { padding-left: .3rem; }
  .tree details > div { padding-left: .4rem; }
  dl { grid-template-columns: 1fr; }
  dt { margin-top: .3rem; }
}
`
