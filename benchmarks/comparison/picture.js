// @ts-check
// The comparison as an SVG: for each piece of work a bar for our time relative to Hardhat's, on a logarithmic scale,
// with a mark for the target.

import { ratioTo } from './table.js'

const [WIDTH, ROW, TOP, LEFT, RIGHT] = [860, 22, 64, 330, 60]
const [LEAST, MOST] = [0.001, 10]

const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #57606a; paint-order: stroke; stroke: #fff; stroke-width: 4px }
.title { font-weight: 600; fill: #24292f }
.grid { stroke: #d0d7de; stroke-width: 1 }
.even { stroke: #57606a; stroke-width: 1.5 }
.good { fill: #1a7f37 }
.slow { fill: #bc4c00 }
.target { stroke: #0969da; stroke-width: 2.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1; stroke: #0d1117 }
  .title { fill: #f0f6fc }
  .grid { stroke: #3d444d }
  .even { stroke: #9198a1 }
  .good { fill: #3fb950 }
  .slow { fill: #f0883e }
  .target { stroke: #58a6ff }
}`

/** @param {number} ratio */
function toX(ratio) {
  const part = Math.log(Math.min(MOST, Math.max(LEAST, ratio)) / LEAST) / Math.log(MOST / LEAST)
  return Math.round(LEFT + (WIDTH - LEFT - RIGHT) * part)
}

/** @param {readonly import('../compare.js').Comparison[]} comparisons */
export function drawComparison(comparisons) {
  const shown = comparisons.flatMap((comparison) => {
    const ratio = ratioTo(comparison, 'Hardhat')
    return ratio === undefined ? [] : [{ ...comparison, ratio }]
  })
  const bottom = TOP + shown.length * ROW
  const grid = [0.001, 0.01, 0.1, 1, 10].map((ratio) => {
    const x = toX(ratio)
    const kind = ratio === 1 ? 'even' : 'grid'
    return `<line class="${kind}" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${bottom}"/>
<text x="${x}" y="${TOP - 12}" text-anchor="middle">${ratio === 1 ? 'as fast' : `${ratio} ×`}</text>`
  })
  const bars = shown.map(({ name, target, ratio }, index) => {
    const y = TOP + index * ROW
    const x = toX(ratio)
    const kind = ratio <= (target ?? 1) ? 'good' : 'slow'
    const mark =
      target === undefined
        ? ''
        : `\n<line class="target" x1="${toX(target)}" x2="${toX(target)}" y1="${y + 2}" y2="${y + ROW - 4}"/>`
    return `<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${name}</text>
<rect class="${kind}" x="${LEFT}" y="${y + 4}" width="${Math.max(2, x - LEFT)}" height="${ROW - 8}" rx="2"/>${mark}
<text x="${Math.max(x, toX(target ?? LEAST)) + 6}" y="${y + 14}">${ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2)}</text>`
  })
  const label = 'Time that tickchain takes for the same work, as a multiple of the time that Hardhat takes'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 16}" role="img" aria-label="${label}">
<style>${STYLE}
</style>
<text class="title" x="16" y="22">${label}</text>
${grid.join('\n')}
${bars.join('\n')}
</svg>
`
}
