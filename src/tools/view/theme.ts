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
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`
