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

const WIDTH = 80
/** Columns of the virtual clock. */
const LEFT = 13
const MARGIN = ' '.repeat(LEFT)
/** Columns of the real time. */
const RIGHT = 10
/** Width of the middle column. */
const RULE = '━'.repeat(WIDTH - LEFT - RIGHT)

/** What the terminal can do, as `formatTimeline` takes it. */
export const terminal = { color: isColourful, width: stdout.columns || WIDTH }

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

/** The lines of a text, broken at spaces; colours end before a space. @param {string} text @param {number} columns */
function wrap(text, columns) {
  /** @type {string[]} */
  const lines = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && columnsOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** An event at a time of the virtual clock. @param {number} atMs @param {string} text */
export function drawMoment(atMs, text) {
  const [first = '', ...rest] = wrap(text, WIDTH - LEFT - RIGHT)
  printAcross(`  ${cyan(pad(formatVirtual(atMs), LEFT - 2))}${first}`, dim(`${realMs()} ms`))
  for (const line of rest) print(`${MARGIN}${dim('│')}  ${line}`)
}

/** A line in the middle. @param {string} text */
function printInside(text) {
  const indent = /^ */.exec(text)?.[0] ?? ''
  for (const [index, line] of wrap(text.trimStart(), WIDTH - LEFT - 4 - indent.length).entries())
    print(`${MARGIN}${dim('│')} ${indent}${index === 0 ? '' : '  '}${line}`)
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

/** The last lines. @param {string} text */
export function drawSummary(text) {
  print()
  for (const line of wrap(text, WIDTH - 2)) print(`  ${bold(line)}`)
  print()
}
