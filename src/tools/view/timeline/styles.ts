// Styles of timelines, by the colours of the theme.

export const TIMELINE_STYLES = `
.timeline { display: block; font: 11px var(--sans); fill: var(--text); }
.timeline text { pointer-events: none; }
.timeline .heading { font-size: 13px; font-weight: 600; }
.timeline .title, .timeline .time { fill: var(--muted); }
.timeline .title, .timeline .label:not(.middle) { paint-order: stroke; stroke: var(--background); stroke-width: 3px; stroke-linejoin: round; }
.timeline .middle { text-anchor: middle; }
.timeline .end { text-anchor: end; }
.timeline .tick { stroke: var(--line); stroke-dasharray: 1 3; }
.timeline .now { stroke: var(--muted); }
.timeline .collapsed { fill: var(--line); fill-opacity: 0.45; }
.timeline .block { fill: var(--surface); stroke: var(--line); }
.timeline .block.full { fill: color-mix(in srgb, var(--sealed) 22%, var(--background)); stroke: var(--sealed); }
.timeline .block.gone { stroke: var(--orphaned); stroke-dasharray: 3 2; }
.timeline .block.gone.full { fill: color-mix(in srgb, var(--orphaned) 22%, var(--background)); }
.timeline .fork, .timeline .back { fill: none; stroke: var(--orphaned); }
.timeline .slots { stroke: var(--line); }
.timeline .partial { fill: color-mix(in srgb, var(--partial) 30%, var(--background)); stroke: var(--partial); }
.timeline .partial.failed { fill: color-mix(in srgb, var(--failed) 30%, var(--background)); stroke: var(--failed); }
.timeline .partial.gone { fill: color-mix(in srgb, var(--orphaned) 30%, var(--background)); stroke: var(--orphaned); stroke-dasharray: 3 2; }
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

/** The cursor over a timeline. */
export const CURSOR_STYLES = `
.here { position: absolute; inset-block: 16px 0; min-width: 2px; margin-inline-start: -1px; border-inline: 1px solid var(--focus); background: color-mix(in srgb, var(--focus) 12%, transparent); pointer-events: none; }
`

export const TIMELINE_SECTION_STYLES = `${TIMELINE_STYLES}${CURSOR_STYLES}
.problems { margin: 0 0 12px; padding: 8px 12px; border-left: 4px solid var(--failed); background: var(--surface); }
.toolbar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-bottom: 8px; }
.toolbar output { margin-left: 6px; color: var(--muted); }
.toolbar input { width: 90px; }
.picture { position: relative; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; cursor: grab; touch-action: pan-y; }
.picture .timeline [data-transactions] { cursor: pointer; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 8px 0 0; padding: 0; list-style: none;
  font-size: 12px; color: var(--muted); }
.legend i { display: inline-block; width: 12px; height: 12px; margin-right: 5px; border-radius: 2px; vertical-align: -1px; }
.legend .line { height: 2px; border-radius: 0; vertical-align: 4px; }
.panes { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 24px; }
@media (max-width: 800px) { .panes { grid-template-columns: minmax(0, 1fr); } }
section.details code { overflow-wrap: anywhere; }
section.details ol { margin: 6px 0; padding: 0; list-style: none; }
section.details li { display: grid; grid-template-columns: 92px 1fr; padding: 1px 0; }
.timeline-section .at { color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; }
.timeline-section .scrolling { border: 1px solid var(--line); border-radius: 6px; }
.timeline-section th { position: sticky; top: 0; background: var(--surface); }
.timeline-section table { width: 100%; }
.link { display: block; padding: 0; border: 0; background: none; text-align: left; text-decoration: underline;
  font-family: var(--mono); font-size: 12px; }
`
