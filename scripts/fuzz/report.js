// @ts-check
// Report of a difference: how to reproduce it, the smallest case found, and both results side by side.

import { assemble, disassemble } from './assembly.js'
import { sizeOfCase } from './shrink.js'
import { inputOf } from './world.js'

/**
 * @typedef {import('./world.js').Case} Case
 * @typedef {import('./compare.js').Difference} Difference
 */

const WIDEST = 68

/** Two texts, cut to the width of a report around their first difference. @param {string} one @param {string} two */
function cutAlike(one, two) {
  let same = 0
  while (same < one.length && one[same] === two[same]) same++
  const longest = Math.max(one.length, two.length)
  const from = longest <= WIDEST ? 0 : Math.max(0, same - WIDEST / 2)
  return [one, two].map((text) => {
    const begin = from === 0 ? text : `...${text.slice(from)}`
    return begin.length <= WIDEST ? begin : `${begin.slice(0, WIDEST - 3)}...`
  })
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** @param {import('./world.js').CaseAccount} account */
function accountLines({ address, nonce, balance, code, storage }) {
  const bytes = assemble(code)
  return [
    `  ${address}  nonce ${nonce}, balance ${balance}`,
    ...storage.map(([slot, value]) => `    slot 0x${slot.toString(16)} = 0x${value.toString(16)}`),
    ...(bytes.length === 0 ? [] : [`    code ${hex(bytes)}`]),
    ...disassemble(bytes).map((line) => `      ${line}`),
  ]
}

/** @param {Case} that */
function messageLines(that) {
  const { from, to, value, gasLimit, gasPrice, accessList, blobVersionedHashes, code } = that.message
  const input = inputOf(that.message)
  return [
    `  ${that.kind} from ${from} ${to === undefined ? 'that creates a contract' : `to ${to}`}`,
    `    gas limit ${gasLimit}, value ${value}, gas price ${gasPrice}`,
    ...(input.length > 0 ? [`    input ${hex(input)}`] : []),
    ...(code.length > 0 ? disassemble(assemble(code)).map((line) => `      ${line}`) : []),
    ...accessList.map(({ address, storageKeys }) => `    access list ${address} ${storageKeys.join(' ')}`),
    ...blobVersionedHashes.map((hash) => `    blob ${hash}`),
    ...(that.precompiles === 'moved'
      ? ['    precompile 2 is moved to 0xc1…, 4 stays, the others are gone']
      : []),
    ...(that.steps === 'watched' ? ['    its steps are watched'] : []),
    `  block ${that.block.number} at ${that.block.timestamp}, coinbase ${that.block.coinbase}`,
  ]
}

/** The differences as a tree by path. @param {readonly Difference[]} differences */
function differenceLines(differences) {
  /** @type {string[]} */
  const lines = []
  /** @type {string[]} */
  let above = []
  for (const { path, reference, other } of differences) {
    const parts = path.split('.')
    const shared = parts.findIndex((part, index) => part !== above[index])
    for (const [index, part] of parts.entries()) {
      if (index >= shared || shared < 0) lines.push(`${'  '.repeat(index + 1)}${part}`)
    }
    const indent = '  '.repeat(parts.length + 1)
    const [one, two] = cutAlike(reference, other)
    lines.push(`${indent}reference  ${one}`, `${indent}other      ${two}`)
    above = parts
  }
  return lines
}

/** The command that reproduces a case. @param {Case} that */
export function replayOf({ seed, number, fork }) {
  return `npm run fuzz -- --seed ${seed} --case ${number} --fork ${fork}`
}

/**
 * @param {Case} original
 * @param {Case} least
 * @param {readonly Difference[]} differences of the least case
 * @returns {string}
 */
export function reportOf(original, least, differences) {
  const [before, after] = [original, least].map((that) => Math.ceil(sizeOfCase(that)))
  return [
    `the interpreters differ: seed ${original.seed}, case ${original.number}, fork ${original.fork}`,
    `again with: ${replayOf(original)}`,
    '',
    `the least case that differs (size ${after} of ${before}):`,
    ...messageLines(least),
    ...least.accounts.flatMap(accountLines),
    '',
    'what differs:',
    ...differenceLines(differences),
  ].join('\n')
}
