// @ts-check
// Shrinking of a case: removes everything without which the difference remains.

import { assemble, push } from './assembly.js'
import { describe } from './compare.js'
import { OPCODES } from './opcodes.js'

/**
 * @typedef {import('./world.js').Case} Case
 * @typedef {import('./world.js').CaseAccount} CaseAccount
 * @typedef {import('./world.js').CaseMessage} CaseMessage
 * @typedef {import('./assembly.js').Program} Program
 * @typedef {import('./assembly.js').Piece} Piece
 * @typedef {(that: Case) => Promise<boolean>} StillDiffers
 */

/** Maximum number of attempts. */
const MOST_TRIES = 2000

const POP = 0x50
const byCode = new Map(OPCODES.map((opcode) => [opcode.code, opcode]))

/** Ranges of a list to remove: halves first, single items last. @param {number} length */
function* ranges(length) {
  for (let size = length; size >= 1; size = Math.floor(size / 2)) {
    for (let end = length; end > 0; end -= size) yield [Math.max(0, end - size), end]
  }
}

/**
 * A list without its unnecessary items.
 * @template Item
 * @param {readonly Item[]} items
 * @param {(items: readonly Item[]) => Promise<boolean>} isEnough
 */
async function withoutNeedless(items, isEnough) {
  let left = items
  for (let wasLength = -1; wasLength !== left.length; ) {
    wasLength = left.length
    for (const [start = 0, end = 0] of ranges(left.length)) {
      if (end > left.length) continue
      const fewer = [...left.slice(0, start), ...left.slice(end)]
      if (await isEnough(fewer)) left = fewer
    }
  }
  return left
}

/** Simpler replacements for a piece, the simplest first. @param {Piece} piece @returns {Piece[][]} */
function simpler(piece) {
  if (typeof piece === 'number') {
    const opcode = byCode.get(piece)
    if (opcode === undefined || piece === POP) return []
    const zeros = Array.from({ length: opcode.leaves }, () => push(0))
    // The same effect on the stack, and no other.
    return [[...opcode.takes.map(() => POP), ...zeros]]
  }
  if ('bytes' in piece) {
    const { bytes } = piece
    if (bytes.length < 2) return []
    return [[{ bytes: bytes.slice(0, bytes.length >> 1) }], [{ bytes: bytes.slice(0, -1) }]]
  }
  if (!('push' in piece)) return []
  const values = [0n, 1n, 2n, 32n, piece.push >> 128n, piece.push >> 8n, piece.push & 0xffn]
  const smaller = values.filter((value) => value < piece.push).map((value) => [push(value)])
  const exact = push(piece.push)
  const isPadded = typeof exact === 'object' && 'size' in exact && exact.size < piece.size
  return isPadded ? [...smaller, [exact]] : smaller
}

/** @param {Program} program @param {(program: Program) => Promise<boolean>} isEnough @returns {Promise<Program>} */
async function shrinkProgram(program, isEnough) {
  if (program.length === 0 || (await isEnough([]))) return []
  const statements = await withoutNeedless(program, isEnough)
  let pieces = await withoutNeedless(statements.flat(), (fewer) => isEnough([fewer]))
  for (let index = pieces.length - 1; index >= 0; index--) {
    for (const instead of simpler(/** @type {Piece} */ (pieces[index]))) {
      const changed = [...pieces.slice(0, index), ...instead, ...pieces.slice(index + 1)]
      if (!(await isEnough([changed]))) continue
      pieces = changed
      break
    }
  }
  return [await withoutPairs(pieces, (fewer) => isEnough([fewer]))]
}

/**
 * Removes pieces that can only be removed together: a constant and its POP.
 * @param {readonly Piece[]} pieces
 * @param {(pieces: readonly Piece[]) => Promise<boolean>} isEnough
 */
async function withoutPairs(pieces, isEnough) {
  let left = await withoutNeedless(pieces, isEnough)
  for (let last = left.length - 1; last > 0; last--) {
    if (left[last] !== POP) continue
    for (let first = last - 1; first >= 0; first--) {
      const fewer = left.filter((_, index) => index !== first && index !== last)
      if (!(await isEnough(fewer))) continue
      left = fewer
      last -= 1
      break
    }
  }
  return left
}

/** The length of a case for a reader. @param {Case} that */
export function sizeOfCase({ accounts, message }) {
  const pieces = [message.code, ...accounts.map(({ code }) => code)].flatMap((program) => program.flat())
  const bytes = pieces.reduce((/** @type {number} */ sum, piece) => {
    if (typeof piece === 'number' || 'at' in piece) return sum + 1
    if ('push' in piece) return sum + 1 + Number(piece.push !== 0n) + piece.size / 33
    return sum + ('bytes' in piece ? piece.bytes.length : 0)
  }, 0)
  return bytes + accounts.length + message.input.length / 100
}

/** The key of a case. @param {Case} that */
function keyOf({ kind, precompiles, steps, accounts, message }) {
  const { code, ...rest } = message
  return describe([
    kind,
    precompiles,
    steps,
    rest,
    assemble(code),
    accounts.map((it) => ({ ...it, code: assemble(it.code) })),
  ])
}

/** Simpler messages. @param {CaseMessage} message @returns {Partial<CaseMessage>[]} */
function simplerMessages({ value, input, accessList, blobVersionedHashes, gasLimit }) {
  return [
    ...(value > 0n ? [{ value: 0n }] : []),
    ...(input.length > 0 ? [{ input: Uint8Array.of() }, { input: input.slice(0, input.length >> 1) }] : []),
    ...(input.length > 0 ? [{ input: input.slice(0, -1) }] : []),
    ...(accessList.length > 0 ? [{ accessList: [] }, { accessList: accessList.slice(1) }] : []),
    ...(blobVersionedHashes.length > 0 ? [{ blobVersionedHashes: [] }] : []),
    ...[100_000n, 1_000_000n].filter((round) => round !== gasLimit).map((round) => ({ gasLimit: round })),
  ]
}

/** @param {CaseAccount} account @returns {Partial<CaseAccount>[]} */
function simplerAccounts({ storage, balance, nonce }) {
  return [
    ...(storage.length > 0 ? [{ storage: [] }, { storage: storage.slice(1) }] : []),
    ...(balance > 0n ? [{ balance: 0n }] : []),
    ...(nonce > 0n ? [{ nonce: 0n }] : []),
  ]
}

/**
 * The smallest case found that still differs.
 * @param {Case} that
 * @param {StillDiffers} stillDiffers
 * @returns {Promise<Case>}
 */
export async function shrink(that, stillDiffers) {
  let least = that
  let tries = 0
  /** Attempts without a difference. */
  const vain = new Set()
  const attempt = async (/** @type {Partial<Case>} */ changes) => {
    const changed = { ...least, ...changes }
    const key = keyOf(changed)
    if (tries >= MOST_TRIES || vain.has(key)) return false
    tries += 1
    if (!(await stillDiffers(changed))) {
      vain.add(key)
      return false
    }
    least = changed
    return true
  }
  const changeAccount = (/** @type {string} */ address, /** @type {Partial<CaseAccount>} */ changes) =>
    attempt({
      accounts: least.accounts.map((account) =>
        account.address === address ? { ...account, ...changes } : account,
      ),
    })
  const changeMessage = (/** @type {Partial<CaseMessage>} */ changes) =>
    attempt({ message: { ...least.message, ...changes } })

  for (let wasSize = Number.POSITIVE_INFINITY; sizeOfCase(least) < wasSize; ) {
    wasSize = sizeOfCase(least)
    if (least.kind === 'transaction') await attempt({ kind: 'message' })
    if (least.precompiles === 'moved') await attempt({ precompiles: 'own' })
    if (least.steps === 'watched') await attempt({ steps: 'unwatched' })
    await withoutNeedless(least.accounts, (accounts) => attempt({ accounts }))
    for (const changes of simplerMessages(least.message)) await changeMessage(changes)
    await shrinkProgram(least.message.code, (code) => changeMessage({ code }))
    for (const { address } of least.accounts) {
      const account = least.accounts.find((candidate) => candidate.address === address)
      if (account === undefined) continue
      await shrinkProgram(account.code, (code) => changeAccount(address, { code }))
      for (const changes of simplerAccounts(account)) await changeAccount(address, changes)
    }
  }
  return least
}
