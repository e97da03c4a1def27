// @ts-check
// Twin chains, one for each interpreter: every request goes to all of them, and differences are reported.

import { difference } from './vectors.js'

/**
 * @typedef {'wasm' | 'reference'} Interpreter
 * @typedef {(options: any) => Promise<any>} StartChain
 * @typedef {{ what: string, found: string }} TwinDifference
 */

/** The outcome of a promise, as JSON. @param {Promise<unknown>} promise */
async function settled(promise) {
  try {
    return { result: plain(await promise) }
  } catch (error) {
    const { code, message, data } = /** @type {{ code?: number, message: string, data?: unknown }} */ (error)
    return { error: plain({ code, message, data }) }
  }
}

/** @param {unknown} value @returns {unknown} */
function plain(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** @param {any[]} chains @param {(difference: TwinDifference) => void} tell */
function twinsOf(chains, tell) {
  const ask = async (/** @type {string} */ what, /** @type {(chain: any) => Promise<unknown>} */ call) => {
    const [first, ...others] = chains
    const answer = call(first)
    if (others.length === 0) return answer
    // Before the requests to the others: the caller may change the result.
    const expected = await settled(answer)
    for (const other of others) {
      const found = difference(expected, await settled(call(other)), 'answer')
      if (found !== undefined) tell({ what, found })
    }
    return answer
  }
  return {
    request: (/** @type {string} */ method, /** @type {unknown} */ params) =>
      ask(`${method} ${JSON.stringify(params)}`, (chain) => chain.request(method, params)),
    handle: (/** @type {unknown} */ body) => ask(JSON.stringify(body), (chain) => chain.handle(body)),
    importBlocks: (/** @type {Uint8Array} */ rlp, /** @type {object} */ marks) =>
      ask('importBlocks', (chain) => chain.importBlocks(rlp, marks)),
    exportBlocks: () => chains[0].exportBlocks(),
    clone: () =>
      twinsOf(
        chains.map((chain) => chain.clone()),
        tell,
      ),
  }
}

/**
 * Starts chains that differ only in the interpreter, and behave as one.
 * @param {StartChain} startChain
 * @param {readonly Interpreter[]} interpreters
 * @param {(difference: TwinDifference) => void} tell
 * @returns {StartChain}
 */
export function startTwins(startChain, interpreters, tell) {
  return async (options) => {
    const chains = []
    for (const interpreter of interpreters) chains.push(await startChain({ ...options, interpreter }))
    return twinsOf(chains, tell)
  }
}
