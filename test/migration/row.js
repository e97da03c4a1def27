// @ts-check
// What a row of a migration page promises, executed on one side. In JavaScript, because the other side may need a newer
// Node and is run as it is.

import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {{
 *   topic: string,
 *   there: readonly string[],
 *   here: readonly string[],
 *   effect: string,
 *   value: string,
 * }} Row the statements of both sides, and an expression with the value that it has afterwards on either
 * @typedef {{ code: readonly string[], effect: string, value: string }} Run
 * @typedef {(method: string, params?: readonly unknown[]) => Promise<unknown>} Request
 */

const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor)

/** What the code of all pages may name. */
const ADDRESSES = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  alice: `0x${'a1'.repeat(20)}`,
  bob: `0x${'b0'.repeat(20)}`,
}

/**
 * Nothing where the effect has the value, and else what was found.
 * @param {Run} run
 * @param {Readonly<Record<string, unknown>>} scope
 * @returns {Promise<string | undefined>}
 */
export async function whatDiffers({ code, effect, value }, scope) {
  const names = [...Object.keys(ADDRESSES), ...Object.keys(scope)]
  const body = `${code.join('\n;')}\n;return [${effect}, ${value}]`
  try {
    const run = new AsyncFunction(...names, body)
    const [actual, expected] = await run(...Object.values(ADDRESSES), ...Object.values(scope))
    if (isDeepStrictEqual(actual, expected)) return undefined
    return `${effect} is ${show(actual)}, not ${show(expected)}`
  } catch (error) {
    return `${code.join('; ')} threw ${error instanceof Error ? error.message : show(error)}`
  }
}

/** @param {unknown} value */
function show(value) {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}
