// @ts-check
// Real blocks of a chain of the OP stack: a fork at the parent builds each from its payload attributes, on an upstream
// that has the trie nodes and the code that the execution reads, and nothing else.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { RLP } from '@ethereumjs/rlp'
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js'

/**
 * @typedef {object} OpBlock
 * @property {{ l2_chain_id: number }} config
 * @property {Record<string, string>} parent its header
 * @property {Record<string, unknown>} attributes
 * @property {string} hash
 * @property {Record<string, string>} nodes keccak-256 → bytes
 */

const SUFFIX = '.json.gz'

/** The names of the blocks in a folder. @param {string} directory */
export function opBlockNames(directory) {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => /^\d+\.json\.gz$/.test(name))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort()
}

/** @param {string} directory @param {string} name @returns {OpBlock} */
export function readOpBlock(directory, name) {
  return JSON.parse(gunzipSync(readFileSync(join(directory, `${name}${SUFFIX}`))).toString('utf8'))
}

/** @param {Uint8Array} bytes */
const toHex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`
/** @param {string} hex */
const toBytes = (hex) =>
  Uint8Array.from(Buffer.from(hex.slice(2).length % 2 === 0 ? hex.slice(2) : `0${hex.slice(2)}`, 'hex'))
/** @param {string} hex */
const hashOf = (hex) => keccak256(toBytes(hex))

/** @param {string} message @returns {never} */
function refuse(message) {
  throw Object.assign(new Error(message), { code: -32000 })
}

/** A header's RLP. @param {Record<string, string>} header */
function encodeHeader(header) {
  const quantity = (/** @type {string} */ value) =>
    BigInt(value) === 0n ? '0x' : `0x${BigInt(value).toString(16)}`
  const fields = [
    ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
    ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
    ...[
      'baseFeePerGas',
      'withdrawalsRoot',
      'blobGasUsed',
      'excessBlobGas',
      'parentBeaconBlockRoot',
      'requestsHash',
    ],
  ]
  const quantities = new Set([
    'difficulty',
    'number',
    'gasLimit',
    'gasUsed',
    'timestamp',
    'baseFeePerGas',
    'blobGasUsed',
    'excessBlobGas',
  ])
  const there = fields.filter((name) => header[name] !== undefined && header[name] !== null)
  return RLP.encode(
    there.map((name) =>
      toBytes(
        quantities.has(name)
          ? quantity(/** @type {string} */ (header[name]))
          : /** @type {string} */ (header[name]),
      ),
    ),
  )
}

/** The nibbles of a key. @param {Uint8Array} key */
function nibblesOf(key) {
  return Array.from(key).flatMap((byte) => [byte >> 4, byte & 15])
}

/**
 * The value of a key below a root with the nodes on the way. @param {Record<string, string>} nodes
 * @param {string} root @param {Uint8Array} key
 */
function prove(nodes, root, key) {
  const path = nibblesOf(key)
  /** @type {string[]} */
  const proof = []
  /** @param {any} reference */
  const load = (reference) => {
    if (Array.isArray(reference)) return reference
    const hash = toHex(reference)
    const bytes = nodes[hash] ?? refuse(`there is no node ${hash}`)
    proof.push(bytes)
    return /** @type {any} */ (RLP.decode(toBytes(bytes)))
  }
  if (root === '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
    return { proof, value: undefined }
  let node = load(toBytes(root))
  for (let at = 0; ; ) {
    if (node.length === 17) {
      if (at === path.length) return { proof, value: node[16].length > 0 ? node[16] : undefined }
      const child = node[/** @type {number} */ (path[at])]
      at++
      if (child.length === 0) return { proof, value: undefined }
      node = load(child)
      continue
    }
    const [encoded, next] = node
    const digits = nibblesOf(encoded)
    const isLeaf = /** @type {number} */ (digits[0]) >= 2
    const own = digits.slice(/** @type {number} */ (digits[0]) % 2 === 1 ? 1 : 2)
    const isOnPath = own.every((digit, index) => digit === path[at + index])
    if (!isOnPath) return { proof, value: undefined }
    at += own.length
    if (isLeaf) return { proof, value: at === path.length ? next : undefined }
    node = load(next)
  }
}

/** The upstream of a block. @param {OpBlock} block */
export function upstreamOf({ config, parent, nodes }) {
  const parentHash = toHex(keccak256(encodeHeader(parent)))
  const stateRoot = /** @type {string} */ (parent['stateRoot'])
  /** @param {string} address @param {string[]} slots */
  const getProof = (address, slots) => {
    const { proof, value } = prove(nodes, stateRoot, hashOf(address))
    const [nonce, balance, storageHash, codeHash] =
      value === undefined ? [] : /** @type {any} */ (RLP.decode(value))
    const root = storageHash === undefined ? `0x${'0'.repeat(64)}` : toHex(storageHash)
    const quantity = (/** @type {Uint8Array | undefined} */ bytes) =>
      `0x${BigInt(bytes === undefined || bytes.length === 0 ? 0 : toHex(bytes)).toString(16)}`
    return {
      address,
      nonce: quantity(nonce),
      balance: quantity(balance),
      storageHash: root,
      codeHash: codeHash === undefined ? `0x${'0'.repeat(64)}` : toHex(codeHash),
      accountProof: proof,
      storageProof: slots.map((key) => {
        const found =
          storageHash === undefined ? { proof: [], value: undefined } : prove(nodes, root, hashOf(key))
        const word =
          found.value === undefined ? undefined : /** @type {Uint8Array} */ (RLP.decode(found.value))
        return { key, value: quantity(word), proof: found.proof }
      }),
    }
  }
  return {
    parentHash,
    /** @param {{ method: string, params?: readonly any[] }} request */
    async request({ method, params = [] }) {
      if (method === 'eth_chainId') return `0x${config.l2_chain_id.toString(16)}`
      if (method === 'eth_getBlockByHash' && params[0] === parentHash) return { ...parent, hash: parentHash }
      if (method === 'eth_getProof') return getProof(params[0], params[1])
      if (method === 'eth_getCode') {
        const { codeHash } = getProof(params[0], [])
        if (/^0x(0*|c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470)$/.test(codeHash))
          return '0x'
        return nodes[codeHash] ?? refuse(`there is no code ${codeHash}`)
      }
      if (method === 'debug_dbGet') return nodes[params[0]] ?? refuse(`there is no node ${params[0]}`)
      return refuse(`${method} is not answered`)
    },
  }
}

/**
 * Builds a block; returns the difference, if it is another.
 *
 * @param {(options: any) => Promise<{ request: (request: any) => Promise<any> }>} startChain
 * @param {OpBlock} block
 */
export async function runOpBlock(startChain, block) {
  const { parentHash, ...upstream } = upstreamOf(block)
  const fork = { upstream, block: parentHash, roots: 'proven' }
  const chain = await startChain({ accounts: [], production: 'manual', fork })
  const attributes = { withdrawals: [], ...block.attributes, noTxPool: true }
  const built = await chain.request({
    method: 'testing_buildBlockV1',
    params: [parentHash, attributes, [], null],
  })
  const { blockHash } = built.executionPayload
  return blockHash === block.hash ? undefined : `expected ${block.hash}, got ${blockHash}`
}
