// Styles of timelines, by the colours of the theme.

export const TIMELINE_STYLES = `
.timeline { display: block; font: 11px var(--sans); fill: var(--text); }
.timeline text { pointer-events: none; }
.timeline .heading { font-size: 13px; font-weight: 600; }
.timeline .title, .timeline .time { fill: var(--muted); }
.timeline .title { paint-order: stroke; stroke: var(--background); stroke-width: 3px; stroke-linejoin: round; }
.timeline .middle { text-anchor: middle; }
.timeline .end { text-anchor: end; }
.timeline .tick { stroke: var(--line); stroke-dasharray: 1 3; }
.timeline .now { stroke: var(--muted); }
.timeline .collapsed { fill: var(--line); fill-opacity: 0.45; }
.timeline .block { fill: var(--surface); stroke: var(--line); }
.timeline .block.full { fill: var(--sealed); fill-opacity: 0.22; stroke: var(--sealed); }
.timeline .block.gone { stroke: var(--orphaned); stroke-dasharray: 3 2; }
.timeline .block.gone.full { fill: var(--orphaned); }
.timeline .fork, .timeline .back { fill: none; stroke: var(--orphaned); }
.timeline .slots { stroke: var(--line); }
.timeline .partial { fill: var(--partial); fill-opacity: 0.3; stroke: var(--partial); }
.timeline .partial.failed { fill: var(--failed); stroke: var(--failed); }
.timeline .partial.gone { fill: var(--orphaned); stroke: var(--orphaned); stroke-dasharray: 3 2; }
.timeline .many.many.many { stroke: none; rx: 0; }
.timeline .stay { fill: var(--pool); fill-opacity: 0.75; }
.timeline .stay.replaced, .timeline .stay.dropped { fill: var(--failed); }
.timeline .stay.undone { fill: var(--orphaned); }
.timeline .mark { fill: var(--event); }
.timeline .mark.fault, .timeline .mark.dropped, .timeline .mark.removed { fill: var(--failed); }
.timeline .mark.orphaned, .timeline .mark.went { fill: var(--orphaned); }
.timeline .mark.clock, .timeline .mark.edited { fill: var(--muted); }
.timeline .told { fill: var(--event); }
.timeline .crossing { fill: none; stroke: var(--event); stroke-width: 1.5; stroke-opacity: 0.8; }
.timeline .crossing.withdrawal { stroke: var(--pool); }
.timeline .head { fill: var(--event); }
.timeline .head.withdrawal { fill: var(--pool); }
.timeline .selected.selected.selected { stroke: var(--text); stroke-width: 2; stroke-dasharray: none; }
`
