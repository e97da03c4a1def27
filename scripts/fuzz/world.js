// @ts-check
// Cases: a few accounts, a block, and a message to one of them, generated from a seed and a number.

import { getContractAddress } from 'viem'
import { assemble } from './assembly.js'
import { FORKS, isSince } from './opcodes.js'
import {
  arithmeticProgram,
  randomFlavor,
  randomInitCode,
  randomProgram,
  recursiveProgram,
} from './program.js'
import { createRandom, pickWeighted } from './random.js'
import { HUGE, randomBits, randomWord } from './words.js'

/**
 * @typedef {import('./random.js').Random} Random
 * @typedef {import('./opcodes.js').Fork} Fork
 * @typedef {import('./assembly.js').Program} Program
 * @typedef {`0x${string}`} Hex
 *
 * @typedef {object} CaseAccount
 * @property {Hex} address
 * @property {bigint} nonce
 * @property {bigint} balance
 * @property {Program} code
 * @property {readonly (readonly [slot: bigint, value: bigint])[]} storage
 *
 * @typedef {object} CaseMessage
 * @property {Hex} from
 * @property {Hex | undefined} to none creates a contract
 * @property {bigint} value
 * @property {Program} code of a creation; the input follows it
 * @property {Uint8Array} input
 * @property {bigint} gasLimit
 * @property {bigint} gasPrice
 * @property {readonly { address: Hex, storageKeys: readonly Hex[] }[]} accessList
 * @property {readonly Hex[]} blobVersionedHashes
 *
 * @typedef {object} CaseBlock
 * @property {number} number
 * @property {number} timestamp
 * @property {Hex} coinbase
 * @property {Hex} prevRandao
 * @property {bigint} difficulty
 * @property {bigint} blobBaseFee
 *
 * @typedef {object} Case
 * @property {number} seed
 * @property {number} number
 * @property {Fork} fork
 * @property {'message' | 'transaction'} kind run as a call, or as a transaction of a block
 * @property {'own' | 'moved'} precompiles whether a request has moved one away, over a contract
 * @property {'watched' | 'unwatched'} steps whether steps are observed, which makes frames run elsewhere
 * @property {boolean} isDeep goes down to the last depth, for which it has gas without end
 * @property {readonly CaseAccount[]} accounts
 * @property {CaseMessage} message
 * @property {CaseBlock} block
 */

/** One case in this many recurses to the maximum depth, which is slow. */
const DEEP_ONE_IN = 500
const ARITHMETIC_ONE_IN = 3

/** @param {number} byte @returns {Hex} */
const at = (byte) => `0x${byte.toString(16).padStart(2, '0').repeat(20)}`

const SENDER = at(0x5e)
const RICH = at(0x07)
/** In the state, and empty. */
const HOLLOW = at(0x40)
/** Not in the state. */
const GHOST = at(0x60)
const DELEGATED = at(0xde)
const MINER = at(0xcb)
export const CONTRACTS = [0xc0, 0xc1, 0xc2, 0xc3].map(at)
const PRECOMPILES = [...Array.from({ length: 0x13 }, (_, i) => BigInt(i)), 0x100n]

/** @param {bigint} word @returns {Hex} */
export function toWord(word) {
  return `0x${word.toString(16).padStart(64, '0')}`
}

/** Newer forks are more frequent. @type {readonly Fork[]} */
const ROTATION = [
  ...FORKS,
  ...FORKS.slice(FORKS.indexOf('istanbul')),
  ...FORKS.slice(FORKS.indexOf('shanghai')),
  ...FORKS.slice(FORKS.indexOf('prague')),
]

/** The default fork of a case. @param {number} number @returns {Fork} */
export function forkOf(number) {
  return /** @type {Fork} */ (ROTATION[number % ROTATION.length])
}

/** @param {Random} random @param {number} most */
function randomBytes(random, most) {
  return Uint8Array.from({ length: random.below(most + 1) }, () => random.below(256))
}

/** @param {Random} random */
function randomInput(random) {
  if (random.oneIn(4)) return Uint8Array.of()
  const words = Array.from({ length: 1 + random.below(4) }, () => toWord(randomWord(random)).slice(2))
  const bytes = Uint8Array.from(Buffer.from(words.join(''), 'hex'))
  return random.oneIn(2) ? bytes : bytes.slice(0, random.below(bytes.length + 1))
}

/** @param {Random} random */
function randomStorage(random) {
  /** @type {[bigint, bigint][]} */
  const storage = []
  for (let slot = 0n; slot < 4n; slot++) {
    if (random.oneIn(2)) storage.push([slot, random.oneIn(5) ? randomWord(random) : BigInt(random.below(3))])
  }
  return storage.filter(([, value]) => value !== 0n)
}

/** @param {Random} random */
function randomBalance(random) {
  return random.pick([0n, 1n, 1000n, 1000n, 10n ** 18n])
}

/** @param {Random} random @param {Fork} fork @param {readonly CaseAccount[]} contracts @returns {CaseAccount[]} */
function otherAccounts(random, fork, contracts) {
  const nothing = { nonce: 0n, balance: 0n, code: [], storage: [] }
  /** @type {CaseAccount[]} */
  const accounts = [
    { ...nothing, address: SENDER, nonce: BigInt(random.below(3)), balance: 10n ** 30n },
    { ...nothing, address: RICH, balance: 10n ** 18n },
    { ...nothing, address: HOLLOW },
  ]
  if (isSince(fork, 'prague')) {
    const target = random.pick([
      ...CONTRACTS,
      DELEGATED,
      at(0),
      RICH,
      '0x0000000000000000000000000000000000000004',
    ])
    const bytes = Uint8Array.from(Buffer.from(`ef0100${target.slice(2)}`, 'hex'))
    accounts.push({ ...nothing, address: DELEGATED, nonce: 1n, balance: 1000n, code: [[{ bytes }]] })
  }
  // An account at the address of a new contract: with a balance, which is harmless, or with storage or a nonce (EIP-7610).
  const [creator] = contracts
  if (creator !== undefined && random.oneIn(3)) {
    const child = getContractAddress({ from: creator.address, nonce: creator.nonce }).toLowerCase()
    const there = random.pick([
      { storage: /** @type {[bigint, bigint][]} */ ([[0n, 1n]]) },
      { nonce: 1n },
      { balance: 5n },
      { code: [[0x00]] },
    ])
    accounts.push({ ...nothing, address: /** @type {Hex} */ (child), ...there })
  }
  return accounts
}

/** @param {Random} random @param {Fork} fork */
function randomContracts(random, fork) {
  const count = 1 + random.below(CONTRACTS.length)
  const addresses = [
    ...[...CONTRACTS.slice(0, count), ...CONTRACTS.slice(0, count)].map(BigInt),
    ...[RICH, HOLLOW, GHOST, SENDER, ...(isSince(fork, 'prague') ? [DELEGATED] : [])].map(BigInt),
    ...[random.pick(PRECOMPILES), random.pick(PRECOMPILES)],
  ]
  const inner = { fork, addresses, initCodes: [], reach: /** @type {const} */ ('far') }
  const initCodes = Array.from({ length: 3 }, () => assemble(randomInitCode(random, inner)))
  const surroundings = { ...inner, initCodes }
  const contracts = CONTRACTS.slice(0, count).map((address) => {
    const flavor = randomFlavor(random)
    // Arithmetic is fast and has many cases.
    const most = flavor === 'arithmetic' ? 150 : random.oneIn(4) ? 50 : 16
    return {
      address,
      nonce: 1n,
      balance: randomBalance(random),
      code: randomProgram(random, surroundings, flavor, 2 + random.below(most)),
      storage: randomStorage(random),
    }
  })
  return { contracts, surroundings }
}

/** @param {Random} random @param {Fork} fork @param {readonly Hex[]} targets */
function accessListOf(random, fork, targets) {
  if (!isSince(fork, 'berlin') || !random.oneIn(3)) return []
  return Array.from({ length: 1 + random.below(2) }, () => ({
    address: random.pick(targets),
    storageKeys: Array.from({ length: random.below(3) }, () => toWord(BigInt(random.below(3)))),
  }))
}

/** @param {Random} random @param {Fork} fork */
function gasLimitOf(random, fork) {
  // In the first forks state reads were almost free, so programs would run for long.
  const most = isSince(fork, 'tangerineWhistle') ? 1 : 4
  const limit = pickWeighted(random, [
    [8, () => 300_000],
    [4, () => 800_000],
    [2, () => 2_000_000],
    [4, () => 60_000 + random.below(100_000)],
    [2, () => 22_000 + random.below(30_000)],
  ])()
  return 100_000n + BigInt(Math.floor(limit / most))
}

/** @param {Random} random @param {Fork} fork @returns {CaseBlock} */
function randomBlock(random, fork) {
  return {
    number: 1 + random.below(600),
    timestamp: 1_700_000_000 + random.below(1000),
    coinbase: random.pick([MINER, MINER, RICH, /** @type {Hex} */ (CONTRACTS[0])]),
    prevRandao: toWord(randomBits(random, 256)),
    difficulty: isSince(fork, 'paris') ? 0n : BigInt(131_072 + random.below(1000)),
    blobBaseFee: BigInt(1 + random.below(3)),
  }
}

/** @param {Random} random @param {Fork} fork @returns {Pick<Case, 'accounts' | 'message' | 'isDeep'>} */
function randomWorld(random, fork) {
  const { contracts, surroundings } = randomContracts(random, fork)
  const accounts = [...contracts, ...otherAccounts(random, fork, contracts)]
  const isCreation = random.oneIn(10)
  const to = pickWeighted(random, [
    [20, () => /** @type {Hex} */ (CONTRACTS[0])],
    [1, () => random.pick([RICH, GHOST, HOLLOW, isSince(fork, 'prague') ? DELEGATED : RICH])],
    [1, () => /** @type {Hex} */ (`0x${random.pick(PRECOMPILES).toString(16).padStart(40, '0')}`)],
  ])()
  const blobs = isSince(fork, 'cancun') && random.oneIn(3) ? 1 + random.below(3) : 0
  const message = {
    from: SENDER,
    to: isCreation ? undefined : to,
    value: random.pick([0n, 0n, 1n, 1000n]),
    code: isCreation ? randomInitCode(random, surroundings) : [],
    input: isCreation ? randomBytes(random, 8) : randomInput(random),
    gasLimit: gasLimitOf(random, fork),
    gasPrice: BigInt(10 + random.below(10)),
    accessList: accessListOf(random, fork, [...CONTRACTS, RICH, GHOST]),
    blobVersionedHashes: Array.from({ length: blobs }, () => toWord((1n << 248n) | randomBits(random, 248))),
  }
  return { accounts, message, isDeep: false }
}

/** A message to one contract that computes. @param {Random} random @param {Fork} fork @returns {Pick<Case, 'accounts' | 'message' | 'isDeep'>} */
function arithmeticWorld(random, fork) {
  const [address] = /** @type {[Hex]} */ (CONTRACTS)
  const nothing = { nonce: 0n, balance: 0n, code: [], storage: [] }
  return {
    accounts: [
      {
        ...nothing,
        address,
        code: arithmeticProgram(random, { fork, addresses: [1n], initCodes: [], reach: 'near' }),
      },
      { ...nothing, address: SENDER, balance: 10n ** 18n },
    ],
    message: {
      ...{ from: SENDER, to: address, value: 0n, code: [], input: randomInput(random), gasPrice: 10n },
      // Sometimes more than 2^53 or 2^64.
      gasLimit: random.oneIn(20) ? random.pick(HUGE.filter((gas) => gas > 400_000n)) : 400_000n,
      ...{ accessList: [], blobVersionedHashes: [] },
    },
    isDeep: false,
  }
}

/** A message that recurses to the maximum depth. @param {Random} random @param {Fork} fork @returns {Pick<Case, 'accounts' | 'message' | 'isDeep'>} */
function deepWorld(random, fork) {
  const { accounts, message } = randomWorld(random, fork)
  const addresses = [RICH, GHOST, HOLLOW].map(BigInt)
  const code = recursiveProgram(random, { fork, addresses, initCodes: [], reach: 'near' })
  const [first, ...rest] = accounts
  return {
    accounts: [{ .../** @type {CaseAccount} */ (first), code }, ...rest],
    message: {
      ...message,
      to: /** @type {Hex} */ (CONTRACTS[0]),
      code: [],
      value: 0n,
      // Every call retains 1/64 of the gas (EIP-150); after 1024 calls a ten-millionth remains.
      // It is above 2^53 at first, and below further down.
      gasLimit: random.pick([1n << 40n, 1n << 40n, 1n << 57n, 1n << 60n]),
    },
    isDeep: true,
  }
}

/**
 * The case of a seed and a number.
 * @param {number} seed
 * @param {number} number
 * @param {Fork} fork
 * @returns {Case}
 */
export function makeCase(seed, number, fork) {
  const random = createRandom((Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) | 0)
  const makeWorld = random.oneIn(DEEP_ONE_IN)
    ? deepWorld
    : random.oneIn(ARITHMETIC_ONE_IN)
      ? arithmeticWorld
      : randomWorld
  const world = makeWorld(random, fork)
  const isTransaction =
    !world.isDeep &&
    world.message.gasLimit < 30_000_000n &&
    world.message.blobVersionedHashes.length === 0 &&
    random.oneIn(4)
  return {
    ...{ seed, number, fork, kind: isTransaction ? 'transaction' : 'message' },
    ...world,
    block: randomBlock(random, fork),
    precompiles: !isTransaction && random.oneIn(25) ? 'moved' : 'own',
    steps: !world.isDeep && random.oneIn(40) ? 'watched' : 'unwatched',
  }
}

/** The input of a message. @param {CaseMessage} message */
export function inputOf({ code, input }) {
  const assembled = assemble(code)
  const bytes = new Uint8Array(assembled.length + input.length)
  bytes.set(assembled)
  bytes.set(input, assembled.length)
  return bytes
}
