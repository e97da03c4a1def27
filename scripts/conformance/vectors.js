// @ts-check
// Replay of the vectors of ethereum/execution-apis: a chain to import, and `.io` files with requests (`>> `) and the
// answers of a conforming node (`<< `). The caller passes the emulator.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ code: number, message: string, data?: unknown }} RpcError
 * @typedef {{ result?: unknown, error?: RpcError }} Answer
 * @typedef {{ request: object, response: Answer }} Exchange
 * @typedef {{ method: string, name: string, isShapeOnly: boolean, exchanges: Exchange[] }} Vector
 * @typedef {{
 *   request: (method: string, params: readonly unknown[]) => Promise<unknown>,
 *   handle: (body: unknown) => Promise<unknown>,
 *   importBlocks: (rlp: Uint8Array, marks?: { safe?: number, finalized?: number }) => Promise<void>,
 *   exportBlocks: () => Promise<Uint8Array>,
 *   clone: () => Chain,
 * }} Chain
 * @typedef {{ genesis: any, accounts: readonly [], logFilterBlockHash: 'exclusive', blobTransactions: 'accepted' }} ChainOptions
 * @typedef {(options: ChainOptions) => Promise<Chain>} StartChain
 */

/** @param {string} text @returns {{ isShapeOnly: boolean, exchanges: Exchange[] }} */
export function parseVector(text) {
  const lines = text.split('\n')
  const after = (/** @type {string} */ mark) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => JSON.parse(line.slice(mark.length)))
  const responses = after('<< ')
  return {
    isShapeOnly: lines.some((line) => line.startsWith('// speconly:')),
    exchanges: after('>> ').map((request, index) => ({ request, response: responses[index] })),
  }
}

/** @param {string} directory @returns {Vector[]} */
export function readVectors(directory) {
  const methods = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return methods.flatMap(({ name: method }) =>
    readdirSync(join(directory, method))
      .filter((file) => file.endsWith('.io'))
      .sort()
      .map((file) => ({
        method,
        name: file.slice(0, -'.io'.length),
        ...parseVector(readFileSync(join(directory, method, file), 'utf8')),
      })),
  )
}

/**
 * The first place where two answers differ; `undefined` if they agree.
 * @param {unknown} expected
 * @param {unknown} got
 * @returns {string | undefined}
 */
export function difference(expected, got, path = 'result') {
  const isObject =
    typeof expected === 'object' && expected !== null && typeof got === 'object' && got !== null
  if (!isObject || Array.isArray(expected) !== Array.isArray(got)) {
    const [wanted, given] = [JSON.stringify(expected), JSON.stringify(got)]
    return wanted === given ? undefined : `${path}: expected ${wanted}, got ${given}`
  }
  const [wanted, given] = /** @type {Record<string, unknown>[]} */ ([expected, got])
  for (const key of new Set([...Object.keys(wanted ?? {}), ...Object.keys(given ?? {})])) {
    const found = difference(wanted?.[key], given?.[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** The kind of a JSON value; vectors that only show a shape are compared by it. */
function shapeOf(/** @type {unknown} */ value) {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

/**
 * What is wrong with an answer; `undefined` if nothing is. Clients choose the messages of errors.
 * @param {Answer} expected
 * @param {Answer} got
 * @param {boolean} isShapeOnly
 */
export function judge(expected, got, isShapeOnly) {
  if (expected.error !== undefined) {
    const { code, message, data } = expected.error
    if (got.error === undefined) return `expected error ${code} (${message}), got a result`
    if (isShapeOnly) return undefined
    const { error } = got
    if (error.code !== code) {
      return `error code: expected ${code} (${message}), got ${error.code} (${error.message})`
    }
    return data === undefined ? undefined : difference(data, error.data, 'error.data')
  }
  if (got.error !== undefined) return `expected a result, got error ${got.error.code}: ${got.error.message}`
  if (!isShapeOnly) return difference(expected.result, got.result)
  return difference(shapeOf(expected.result), shapeOf(got.result), 'shape')
}

/**
 * The imported chain for the vectors, with its safe and finalized blocks.
 * @param {string} directory
 * @param {StartChain} startChain
 */
export async function importChain(directory, startChain) {
  const readJson = (/** @type {string} */ file) => JSON.parse(readFileSync(join(directory, file), 'utf8'))
  const chain = await startChain({
    genesis: readJson('genesis.json'),
    accounts: [],
    // As the geth that recorded the vectors.
    logFilterBlockHash: 'exclusive',
    blobTransactions: 'accepted',
  })
  await chain.importBlocks(readChain(directory))
  const [{ safeBlockHash, finalizedBlockHash }] = readJson('headfcu.json').params
  const numberOf = async (/** @type {string} */ hash) => {
    const header = await chain.request('eth_getHeaderByHash', [hash])
    return Number(/** @type {{ number: string }} */ (header).number)
  }
  const [safe, finalized] = [await numberOf(safeBlockHash), await numberOf(finalizedBlockHash)]
  await chain.importBlocks(new Uint8Array(0), { safe, finalized })
  return chain
}

/** The blocks of the chain, one after another. @param {string} directory */
export function readChain(directory) {
  return new Uint8Array(readFileSync(join(directory, 'chain.rlp')))
}

/**
 * Answers a vector on a clone of the chain; what is wrong, or `undefined`.
 * @param {Chain} chain
 * @param {Vector} vector
 */
export async function runVector(chain, { exchanges, isShapeOnly }) {
  const clone = chain.clone()
  for (const { request, response } of exchanges) {
    const answer = JSON.parse(JSON.stringify(await clone.handle(request)))
    const found = judge(response, answer, isShapeOnly)
    if (found !== undefined) return found
  }
  return undefined
}
