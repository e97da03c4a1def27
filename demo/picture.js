// @ts-check
// Timeline drawing: virtual time on the left, events in the middle, real time on the right. Must not know of chains.
// Colours appear only on a terminal that supports them.

const { env, stdout } = process
const isForced = ![undefined, '0', 'false'].includes(env['FORCE_COLOR'])
const isColourful = isForced || (stdout.isTTY === true && !env['NO_COLOR'])

/** @param {number} code */
function ink(code) {
  return (/** @type {string} */ text) => (isColourful ? `\x1b[${code}m${text}\x1b[0m` : text)
}

export const bold = ink(1)
export const dim = ink(2)
export const red = ink(31)
const green = ink(32)
export const yellow = ink(33)
const cyan = ink(36)

const WIDTH = 98
/** Columns of the virtual clock. */
const LEFT = 13
const MARGIN = ' '.repeat(LEFT)
/** Width of the middle column. */
const RULE = '━'.repeat(WIDTH - LEFT - 10)

/** What the terminal can do, as `formatTimeline` takes it. */
export const terminal = { color: isColourful, ...(stdout.columns ? { width: stdout.columns } : {}) }

/** Columns of a text, without colour codes. @param {string} text */
function columnsOf(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes contain it
  return [...text.replace(/\x1b\[\d+m/g, '')].length
}

/** @param {string} text @param {number} columns */
function pad(text, columns) {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)))
}

/** A count with separated thousands. @param {bigint | number} value */
export function formatNumber(value) {
  return `${value}`.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** @param {number} count @param {string} noun */
export function formatCount(count, noun) {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The virtual clock: +00.200 s, and +01:00:06 from a hundred seconds on. @param {number} ms */
function formatVirtual(ms) {
  if (ms < 100_000) return `+${(ms / 1000).toFixed(3).padStart(6, '0')} s`
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `+${parts.map((part) => `${part}`.padStart(2, '0')).join(':')}`
}

const startedAt = performance.now()

/** Whole milliseconds of real time since the drawing began. */
export function realMs() {
  return Math.round(performance.now() - startedAt)
}

/** @param {string} [line] */
function print(line = '') {
  console.log(line.trimEnd())
}

/** @param {string} text @param {string} right */
function printAcross(text, right) {
  print(`${pad(text, WIDTH - columnsOf(right))}${right}`)
}

/** The title and the headings of the columns. @param {string} name @param {string} text */
export function drawTitle(name, text) {
  print()
  print(`  ${bold(name)}  ${text}`)
  print()
  printAcross(dim('  virtual time'), dim('real time'))
}

/** The heading of a part. @param {string} text */
export function drawHeading(text) {
  print()
  print(`  ${bold(text)}`)
  print()
}

/** An event at a time of the virtual clock. @param {number} atMs @param {string} text */
export function drawMoment(atMs, text) {
  printAcross(`  ${cyan(pad(formatVirtual(atMs), LEFT - 2))}${text}`, dim(`${realMs()} ms`))
}

/** A line in the middle. @param {string} text */
function printInside(text) {
  const line = `${MARGIN}${dim('│')} ${text}`
  if (columnsOf(line) > WIDTH) throw new RangeError(`wider than ${WIDTH} columns: ${text}`)
  print(line)
}

/** An action of a user. @param {string} text */
export function drawStep(text) {
  printInside(text)
}

/** A checked fact. @param {string} text */
export function drawFact(text) {
  printInside(`  ${green('✓')} ${text}`)
}

/** A sealed block. @param {number} atMs @param {string} title @param {readonly string[]} lines */
export function drawBox(atMs, title, lines) {
  const rule = RULE.slice(columnsOf(title) + 4)
  drawMoment(atMs, `${green('┏━')} ${green(bold(title))} ${green(rule)}`)
  for (const line of lines) print(`${MARGIN}${green('┃')}  ${line}`)
  print(`${MARGIN}${green(`┗${RULE.slice(1)}`)}`)
}

/** Lines as they are. @param {string} text */
export function drawText(text) {
  for (const line of text.split('\n')) print(line)
}

/** The last line. @param {string} text */
export function drawSummary(text) {
  print()
  print(`  ${bold(text)}`)
  print()
}
