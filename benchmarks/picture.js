// @ts-check
// Cost of a transaction against size, as an SVG: three charts with a logarithmic x axis and one line for each asset.

import { formatAmount } from './report.js'

/** @typedef {{ readonly x: number, readonly us: number }} Point */

const WIDTH = 860
const HEIGHT = 270
const CHART = { top: 62, height: 150, left: 58, width: 224, gap: 46 }

// Transparent background; light strokes in dark mode.
const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #57606a }
.title { font-weight: 600; fill: #24292f }
.grid { stroke: #d0d7de; stroke-width: 1 }
.ether { stroke: #0969da; fill: #0969da }
.token { stroke: #bc4c00; fill: #bc4c00 }
polyline { fill: none !important; stroke-width: 2 }
text.ether, text.token { stroke: none; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1 }
  .title { fill: #f0f6fc }
  .grid { stroke: #3d444d }
  .ether { stroke: #58a6ff; fill: #58a6ff }
  .token { stroke: #f0883e; fill: #f0883e }
}`

/** A round number above the largest. @param {number} value */
function ceiling(value) {
  const unit = 10 ** Math.floor(Math.log10(value))
  return Math.ceil((value * 1.05) / unit) * unit
}

/** @param {number} value */
function formatCount(value) {
  return value >= 1000 ? `${value / 1000}k` : `${value}`
}

/**
 * @param {string} title @param {ReadonlyMap<string, readonly Point[]>} lines @param {number} most
 * @param {number} left
 */
function drawChart(title, lines, most, left) {
  const { top, height, width } = CHART
  const xs = [...new Set([...lines.values()].flat().map(({ x }) => x))].sort((a, b) => a - b)
  const [least = 1, greatest = 10] = [xs[0], xs.at(-1)]
  const toX = (/** @type {number} */ x) =>
    Math.round(left + (width * Math.log(x / least)) / Math.log(greatest / least))
  const toY = (/** @type {number} */ us) => Math.round(top + height * (1 - us / most))
  const parts = [`<text class="title" x="${left}" y="${top - 18}">${title}</text>`]
  for (const part of [0, 0.5, 1]) {
    const y = toY(most * part)
    parts.push(`<line class="grid" x1="${left}" x2="${left + width}" y1="${y}" y2="${y}"/>`)
    if (left === CHART.left) {
      const label = part === 0 ? '0' : formatAmount(most * part)
      parts.push(`<text x="${left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`)
    }
  }
  for (const x of xs) {
    parts.push(`<text x="${toX(x)}" y="${top + height + 20}" text-anchor="middle">${formatCount(x)}</text>`)
  }
  for (const [name, points] of lines) {
    const path = points.map(({ x, us }) => `${toX(x)},${toY(us)}`).join(' ')
    parts.push(`<polyline class="${name}" points="${path}"/>`)
    for (const { x, us } of points) {
      parts.push(`<circle class="${name}" cx="${toX(x)}" cy="${toY(us)}" r="3"/>`)
    }
  }
  return parts.join('\n')
}

/** @param {readonly import('./report.js').Result[]} results */
export function drawPicture(results) {
  /** @type {Map<string, Map<string, Point[]>>} */
  const panels = new Map()
  for (const { point, median } of results.flatMap(({ rows }) => rows)) {
    if (point === undefined) continue
    const lines = panels.get(point.panel) ?? new Map()
    lines.set(point.line, [...(lines.get(point.line) ?? []), { x: point.x, us: median }])
    panels.set(point.panel, lines)
  }
  const all = [...panels.values()].flatMap((lines) => [...lines.values()].flat())
  const most = ceiling(Math.max(...all.map(({ us }) => us)))
  const charts = [...panels].map(([title, lines], index) =>
    drawChart(title, lines, most, CHART.left + index * (CHART.width + CHART.gap)),
  )
  const label =
    'Time for a transaction, by transactions in the block, blocks of history and accounts in the state'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<style>${STYLE}
</style>
<text class="title" x="${CHART.left}" y="20">Time for a transaction, by</text>
<text class="token" x="${WIDTH - 24}" y="20" text-anchor="end">ERC-20 transfer</text>
<text class="ether" x="${WIDTH - 136}" y="20" text-anchor="end">ether transfer</text>
${charts.join('\n')}
</svg>
`
}
