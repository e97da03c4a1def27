// Colours and type of all pages, light and dark, as custom properties.

/** The styles that every page begins with. Text on its background has a contrast of at least 4.5. */
export const THEME = `
:root, :host {
  color-scheme: light dark;
  --background: light-dark(#ffffff, #14161a);
  --surface: light-dark(#f5f6f8, #1d2026);
  --line: light-dark(#d5d9e0, #363b45);
  --text: light-dark(#1b1f27, #e8eaee);
  --muted: light-dark(#596173, #a2aab9);
  --sealed: light-dark(#1f5fbf, #7fb2ff);
  --partial: light-dark(#0b7a6b, #4fd0bd);
  --pool: light-dark(#7a5a00, #e3bd55);
  --orphaned: light-dark(#6c5a78, #b9a3c7);
  --failed: light-dark(#b3261e, #ff8a80);
  --success: light-dark(#1a7335, #6fd08c);
  --event: light-dark(#8a3fa0, #d99aec);
  --focus: light-dark(#1f5fbf, #7fb2ff);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--text); font: 14px/1.5 var(--sans); }
code, pre { font-family: var(--mono); font-size: 0.93em; }
button, input { font: inherit; color: var(--text); border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; background: var(--background); }
button { background: var(--surface); cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--focus); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
table { border-collapse: collapse; }
th, td { text-align: start; padding: 3px 8px; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th { font-weight: 600; }
th.amount, td.amount { text-align: end; font-variant-numeric: tabular-nums; }
`

/** The styles of a whole page, after the theme. */
export const PAGE_STYLES = `
main { max-width: 90rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 1.75rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
h4, h5 { font-size: .93rem; margin: 1.25rem 0 .5rem; overflow-wrap: anywhere; }
a { color: var(--sealed); }
td, p, li { overflow-wrap: anywhere; }
.summary { margin: 0 0 12px; color: var(--muted); }
.scrolling { overflow: auto; }
@media (max-width: 600px) { main { padding: .75rem .75rem 3rem; } }
`

/** Styles for paper, after all others. */
export const PRINT_STYLES = `
@media print {
  :root, :host { color-scheme: light; }
  .scrolling, .scroll { overflow: visible; }
  .events .scrolling, .source pre, .story > ol, .debugging .tree { max-height: none; }
  pre, .source pre > * { width: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  th, td, .list th, .list td { white-space: normal; }
  button:not(.link, .gutter, .opcode-line), form, .toolbar, .folding, .controls, .playhead, .debug-controls { display: none; }
}
`
