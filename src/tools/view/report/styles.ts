// Styles of reports, after those of traces.

export const REPORT_STYLES = `
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
header p { color: var(--muted); margin: .25rem 0; overflow-wrap: anywhere; }
section > h2 { border-top: 1px solid var(--line); padding-top: 1.25rem; }
pre { background: var(--surface); border: 1px solid var(--line); border-radius: 4px; padding: .6rem .75rem; margin: .5rem 0; overflow: auto; }
pre.message { border-left: 3px solid var(--failed); white-space: pre-wrap; overflow-wrap: anywhere; }
pre.stack { width: max-content; min-width: 100%; }
.scrolling pre { overflow: visible; }
iframe.timeline { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 4px; }
th, td { white-space: nowrap; }
td:has(.error), td.wide { white-space: normal; min-width: 14rem; }
td.number, th.number { text-align: right; }
tr.total td { font-weight: 600; border-top: 2px solid var(--line); }
.failed-test { color: var(--failed); }
.passed { color: var(--success); }
ul.tests { list-style: none; padding: 0; }
ul.tests li { padding: .25rem 0; overflow-wrap: anywhere; }
ul.tests small { color: var(--muted); display: block; }
`
