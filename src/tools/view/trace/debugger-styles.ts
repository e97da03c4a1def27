// Styles of the debugger and of the flame graph, which pages of traces and the explorer have.

export const DEBUGGER_STYLES = `
.flame { margin: 0; }
.flame-graph { position: relative; font: 12px/20px var(--mono); }
.bar { --hue: var(--line); color: var(--text); position: absolute; height: 21px; padding: 0 5px; border-radius: 2px; cursor: pointer; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  background: color-mix(in srgb, var(--hue) 26%, var(--background)); border: solid var(--background); border-width: 0 1px 1px 0; }
.bar.whole { background: var(--line); }
.bar.paid { --hue: var(--muted); }
${['sealed', 'partial', 'event', 'pool', 'success', 'orphaned'].map((color, hue) => `.hue-${hue} { --hue: var(--${color}); }`).join('\n')}
.bar.failed { box-shadow: inset 0 -3px var(--failed); }
.bar[aria-current] { outline: 2px solid var(--text); outline-offset: -2px; z-index: 1; }
.bar:hover { filter: brightness(.92); }
.bar:focus-visible { outline-offset: -2px; }
.flame-told { color: var(--muted); padding-top: .3rem; min-height: 1.8em; }
.debugger .pane-head { margin: 0; padding: 3px 8px; background: var(--surface); border-bottom: 1px solid var(--line); font-size: 12px; font-weight: 600; overflow-wrap: anywhere; }
.debug-controls { position: sticky; top: 0; z-index: 1; background: var(--background); padding-bottom: 6px; }
.debug-controls input { width: 100%; padding: 0; margin: 6px 0 2px; accent-color: var(--focus); }
.debug-controls output { display: block; min-height: 3em; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.debug-controls p { margin: 0; font-size: 12px; }
.debugger .muted, .opcode-line .gas { color: var(--muted); }
.moves { display: inline-grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 4px; margin: 0 12px 4px 0; padding: 0; border: 0; min-inline-size: 0; }
.moves button { padding: 3px 8px; white-space: nowrap; }
.moves [aria-disabled="true"] { color: var(--muted); cursor: not-allowed; }
.debug-panes { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 8px; }
.pane { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; min-width: 0; }
.source-pane { grid-column: 1 / -1; }
.rows-box { height: 160px; overflow: auto; font: 12px/20px var(--mono); }
.source-pane .rows-box { height: 320px; }
.rows-box:focus-visible { outline-offset: -2px; }
.code-line, .word-line, .opcode-line { display: block; height: 20px; width: max-content; min-width: 100%; padding: 0 8px 0 0; white-space: pre; }
.word-line { padding: 0 8px; }
.code-line code, .code-line mark, .word-line code { font: inherit; color: inherit; background: none; }
.debugger .current, .opcode-line[aria-current] { background: color-mix(in srgb, var(--focus) 18%, var(--background)); box-shadow: inset 3px 0 var(--focus); }
.opcode-line { border: 0; border-radius: 0; background: none; text-align: start; font: inherit; padding-left: 8px; min-height: 0; }
.gutter { border: 0; border-radius: 0; padding: 0 8px 0 0; width: 5ch; height: 20px; min-height: 0; text-align: end; font: inherit; color: var(--muted); background: none; }
.gutter[aria-pressed="true"] { background: var(--failed); color: var(--background); }
.breakpoints { margin-top: 6px; }
.breakpoints ul { list-style: none; margin: 4px 0; padding: 0; columns: 18rem; }
.breakpoints li { overflow-wrap: anywhere; }
.breakpoints input { min-height: 0; }
@media (max-width: 600px) {
  .debug-panes { grid-template-columns: minmax(0, 1fr); }
  .moves { display: grid; margin-right: 0; }
  .moves button { padding: 6px 2px; font-size: 13px; }
}
`
