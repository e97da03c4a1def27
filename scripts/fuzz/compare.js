// @ts-check
// Comparison of two runs of one case: reported results and state.

/**
 * @typedef {import('./execute.js').Outcome} Outcome
 * @typedef {import('./execute.js').Library} Library
 * @typedef {{ path: string, reference: string, other: string }} Difference
 */

/**
 * If an instruction lacks both operands and gas, the reference reports the gas if the price depends on a present
 * operand. The yellow paper leaves this open. geth, whose messages these are, checks the stack first.
 */
const FIRST_OF_TWO = { path: 'failure', reference: 'out of gas', other: 'stack underflow' }

/** A value as text. @param {unknown} value @returns {string} */
export function describe(value) {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (value instanceof Set) return describe([...value])
  if (Array.isArray(value)) return `[${value.map(describe).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([key, field]) => `${key}: ${describe(field)}`)}}`
  }
  return String(value)
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isNested(value) {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

/** @param {unknown} reference @param {unknown} other @param {string} path @returns {Difference[]} */
function differencesOfValues(reference, other, path) {
  if (isNested(reference) && isNested(other)) {
    const keys = new Set([...Object.keys(reference), ...Object.keys(other)])
    return [...keys].flatMap((key) =>
      differencesOfValues(reference[key], other[key], path === '' ? key : `${path}.${key}`),
    )
  }
  const [expected, got] = [describe(reference), describe(other)]
  return expected === got ? [] : [{ path, reference: expected, other: got }]
}

/** @param {import('../../src/core/state/world-state.ts').Account | undefined} account */
function fieldsOf(account) {
  if (account === undefined) return undefined
  const { nonce, balance, code, storage } = account
  const slots = [...storage.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  return { nonce, balance, code: code.bytes, codeHash: code.hash, storage: Object.fromEntries(slots) }
}

/** @param {Outcome} reference @param {Outcome} other @returns {Difference[]} */
function differencesOfStates({ after: reference }, { after: other }) {
  if (reference === undefined || other === undefined) return []
  /** @type {Difference[]} */
  const differences = []
  reference.visitChanges(other, (address, expected, got) => {
    differences.push(...differencesOfValues(fieldsOf(expected), fieldsOf(got), `state.${address}`))
  })
  return differences
}

/** @param {Library} library @param {Outcome} outcome */
function rootOf({ commitState, EMPTY_COMMITTED_STATE, stateRoot }, { after }) {
  return after === undefined ? 'none' : stateRoot(commitState(EMPTY_COMMITTED_STATE, after))
}

/**
 * All differences of a run from that of the reference.
 * @param {Library} library
 * @param {Outcome} reference
 * @param {Outcome} other
 * @returns {Difference[]}
 */
export function differencesOf(library, reference, other) {
  // After an unexpected error only the errors are compared.
  const threw = [reference, other].some(({ told }) => 'threw' in told)
  if (threw) return differencesOfValues(reference.told['threw'], other.told['threw'], 'threw')
  const differences = [
    ...(describe(reference.told) === describe(other.told)
      ? []
      : differencesOfValues(reference.told, other.told, '')),
    ...differencesOfStates(reference, other),
  ]
  const [expected, got] = [rootOf(library, reference), rootOf(library, other)]
  if (expected !== got) return [...differences, { path: 'stateRoot', reference: expected, other: got }]
  return differences.length === 1 && describe(differences) === describe([FIRST_OF_TWO]) ? [] : differences
}
