// Generator of random commands: valid and invalid transactions, time, blocks, snapshots and reads. The next command
// depends only on the seed and on the chain's answers.

import { encodeFunctionData, getContractAddress } from 'viem'
import type { Random } from '../../scripts/fuzz/random.js'
import type {
  Authorization,
  TransactionFields,
  TransactionType,
} from '../../src/core/execution/transaction/transaction.ts'
import { signTransaction } from '../../src/core/pool/payload.ts'
import {
  type Address,
  bytesToHex,
  type Hash,
  type Hex,
  hexToBytes,
  toQuantity,
} from '../../src/core/primitives/hex.ts'
import type { EmulatorOptions } from '../../src/index.ts'
import { Counter, Environment, Lifecycle, Logger, Reverter, Token } from '../contracts/generated.ts'
import type { Command, Session } from './commands.ts'
import { lookAside, namesOf, randomControl, randomReplacement, sendPlayed } from './controls.ts'
import { randomFailure } from './failures.ts'
import { randomFromLayer1 } from './layer1.ts'
import { isRollup } from './rollup-world.ts'
import {
  CHAIN_ID,
  counter,
  environment,
  isControlled,
  keys,
  lifecycle,
  logger,
  owners,
  reverter,
  senders,
  sink,
  strangers,
} from './world.ts'

const GWEI = 10n ** 9n

export interface Generator {
  readonly random: Random
  readonly options: EmulatorOptions
  readonly session: Session
  /** Transactions to repeat, replace and read. */
  readonly recent: { readonly fields: TransactionFields; readonly key: Hex; readonly hash: Hash }[]
  /** Where tokens may have been deployed. */
  readonly tokens: Address[]
  readonly nextNonces: Map<Address, bigint>
  /** Signers of authorizations, by the r of the signature in JSON-RPC. */
  readonly signers: Map<string, Address>
  readonly snapshots: number[]
  readonly numbered: number[]
  readonly dumps: number[]
  /** Recently impersonated accounts. */
  readonly played: Address[]
  lastName: number
}

export function createGenerator(random: Random, options: EmulatorOptions, session: Session): Generator {
  return {
    random,
    options,
    session,
    recent: [],
    tokens: [],
    nextNonces: new Map(),
    signers: new Map(),
    snapshots: [],
    numbered: [],
    dumps: [],
    played: [],
    lastName: 0,
  }
}

export type Message = Pick<TransactionFields, 'to' | 'value' | 'input'>

function message(to: Address | undefined, input: Hex, value = 0n): Message {
  return { to, value, input: hexToBytes(input) }
}

function randomCall({ random, tokens }: Generator): Message {
  const n = BigInt(random.below(5))
  const value = random.pick([0n, 1n, GWEI, 10n ** 14n])
  const count = (functionName: 'increment' | 'decrement'): Hex =>
    encodeFunctionData({ abi: Counter.abi, functionName })
  const cases: readonly (() => Message)[] = [
    () => message(counter, count(random.pick(['increment', 'decrement']))),
    () => message(logger, encodeFunctionData({ abi: Logger.abi, functionName: 'emitMany', args: [n] })),
    () => message(lifecycle, encodeFunctionData({ abi: Lifecycle.abi, functionName: 'createChild' }), value),
    () => {
      const input = encodeFunctionData({
        abi: Lifecycle.abi,
        functionName: 'createAndDestroy',
        args: [sink],
      })
      return message(lifecycle, input, value)
    },
    () => {
      const functionName = random.pick(['fill', 'clear'] as const)
      return message(lifecycle, encodeFunctionData({ abi: Lifecycle.abi, functionName, args: [n, 2n] }))
    },
    () => {
      const salt: Hex = `0x${n.toString(16).padStart(64, '0')}`
      const args = [salt, Counter.bytecode] as const
      return message(lifecycle, encodeFunctionData({ abi: Lifecycle.abi, functionName: 'deploy', args }))
    },
    () => {
      const functionName = random.pick([
        'invalidOpcode',
        'loopForever',
        'panicAssert',
        'revertEmpty',
      ] as const)
      return message(reverter, encodeFunctionData({ abi: Reverter.abi, functionName }))
    },
    () => message(reverter, encodeFunctionData({ abi: Reverter.abi, functionName: 'deposit' }), value),
    () => message(environment, encodeFunctionData({ abi: Environment.abi, functionName: 'record' })),
    () => {
      const args = [random.pick(strangers), n] as const
      const input = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args })
      return message(tokens.length === 0 ? counter : random.pick(tokens), input)
    },
    () => message(undefined, `${Token.bytecode}${'00'.repeat(31)}64`),
    () => message(undefined, random.pick(['0x', '0xfe', '0x60016000f3'])),
  ]
  return random.pick(cases)()
}

function randomMessage(generator: Generator): Message {
  const { random } = generator
  if (random.below(5) < 3) return randomCall(generator)
  const value = random.pick([0n, 1n, GWEI, 10n ** 15n, 10n ** 17n, 10n ** 30n])
  return message(random.pick([...senders, ...strangers]), '0x', value)
}

function randomGas({ random }: Generator, { to, input }: Message): bigint {
  if (random.oneIn(20)) return random.pick([0n, 20_999n, 1_500_001n, 16_777_217n, 2n ** 63n])
  if (to === undefined) return random.pick([200_000n, 600_000n, 900_000n])
  if (input.length === 0) return random.pick([21_000n, 21_000n, 60_000n])
  return random.pick([30_000n, 120_000n, 250_000n, 600_000n])
}

function randomFees(
  { random }: Generator,
  baseFee: bigint,
  type: TransactionType,
): Pick<TransactionFields, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const tip = random.pick([0n, 1n, GWEI, 2n * GWEI, 3n * GWEI])
  const feeCap = random.pick([
    baseFee + tip,
    baseFee + tip,
    2n * baseFee + tip,
    baseFee,
    baseFee > 0n ? baseFee - 1n : 0n,
    1n,
  ])
  if (type < 2) return { maxFeePerGas: feeCap, maxPriorityFeePerGas: feeCap }
  return {
    maxFeePerGas: feeCap,
    maxPriorityFeePerGas: random.oneIn(30) ? feeCap + 1n : tip > feeCap ? feeCap : tip,
  }
}

async function pendingNonce({ session }: Generator, account: Address): Promise<bigint> {
  return BigInt(await session.chain.request('eth_getTransactionCount', [account, 'pending']))
}

/** Mostly the next nonce, sometimes a used one or one behind a gap. */
async function randomNonce(generator: Generator, sender: Address): Promise<bigint> {
  const { random, nextNonces } = generator
  const least = await pendingNonce(generator, sender)
  const guess = nextNonces.get(sender) ?? 0n
  const next = guess < least || guess > least + 4n ? least : guess
  const nonce = next + random.pick([0n, 0n, 0n, 0n, 0n, 0n, -1n, 1n, 2n])
  nextNonces.set(sender, nonce === next ? next + 1n : next)
  return nonce < 0n ? 0n : nonce
}

async function randomAuthorizations(generator: Generator, sender: Address): Promise<Authorization[]> {
  const { random } = generator
  const list: Authorization[] = []
  for (let i = random.below(3); i >= 0; i--) {
    const owner = random.pick(owners)
    const authority = owner.address.toLowerCase() as Address
    const nonce = (await pendingNonce(generator, authority)) + (authority === sender ? 1n : 0n)
    const signed = await owner.signAuthorization({
      address: random.pick([counter, logger, `0x${'00'.repeat(20)}` as const]),
      chainId: random.pick([0, CHAIN_ID, CHAIN_ID, 1]),
      // viem accepts only safe integers.
      nonce: Number((nonce + (random.oneIn(6) ? 1n : 0n)) % 2n ** 53n),
    })
    const { address, chainId, r, s, yParity } = signed
    generator.signers.set(toQuantity(BigInt(r)), authority)
    list.push({
      address: address.toLowerCase() as Address,
      chainId: BigInt(chainId),
      nonce: BigInt(signed.nonce),
      yParity: BigInt(yParity!),
      r: BigInt(r),
      s: BigInt(s),
    })
  }
  return list
}

function send(generator: Generator, fields: TransactionFields, key: Hex): Command {
  const sender = senders[keys.indexOf(key)]!
  const { raw, hash } = signTransaction(fields, sender, hexToBytes(key))
  generator.recent.unshift({ fields, key, hash })
  generator.recent.length = Math.min(generator.recent.length, 12)
  if (fields.to === undefined && fields.input.length > 100) {
    const created = getContractAddress({ from: sender, nonce: fields.nonce })
    generator.tokens.unshift(created.toLowerCase() as Address)
    generator.tokens.length = Math.min(generator.tokens.length, 4)
  }
  return { call: 'request', method: 'eth_sendRawTransaction', params: [bytesToHex(raw)] }
}

async function sendNew(generator: Generator): Promise<Command> {
  const { random, session } = generator
  const index = random.below(keys.length)
  const sender = senders[index]!
  const type = random.pick([0, 1, 2, 2, 2, 4] as const)
  const pending = await session.chain.request('eth_getBlockByNumber', ['pending', false])
  const baseFee = BigInt(pending?.baseFeePerGas ?? 0)
  const asked = randomMessage(generator)
  // A set code transaction cannot create a contract.
  const { to, value, input } = type === 4 && asked.to === undefined ? message(counter, '0x') : asked
  const authorizationList = type === 4 ? await randomAuthorizations(generator, sender) : []
  const accessList =
    type > 0 && random.oneIn(3) ? [{ address: counter, storageKeys: [`0x${'00'.repeat(32)}` as const] }] : []
  const fields: TransactionFields = {
    type,
    chainId: random.oneIn(40) ? 1n : BigInt(session.chain.settings.chainId),
    nonce: await randomNonce(generator, sender),
    gasLimit: randomGas(generator, { to, value, input }) + 25_000n * BigInt(authorizationList.length),
    ...randomFees(generator, baseFee, type),
    to,
    value,
    input,
    accessList,
    authorizationList,
    maxFeePerBlobGas: 0n,
    blobVersionedHashes: [],
  }
  return send(generator, fields, keys[index]!)
}

/** The same transaction again, or a replacement with a sufficient or insufficient fee. */
function sendAgain(generator: Generator): Command {
  const { random, recent } = generator
  const { fields, key } = random.pick(recent)
  const percent = random.pick([100n, 109n, 110n, 111n, 150n])
  const raise = (fee: bigint): bigint => (fee * percent + 99n) / 100n
  const fees = {
    maxFeePerGas: raise(fields.maxFeePerGas),
    maxPriorityFeePerGas: raise(fields.maxPriorityFeePerGas),
  }
  if (random.oneIn(4)) return send(generator, fields, key)
  return send(generator, { ...fields, ...fees, value: fields.value + 1n }, key)
}

function sendUnsigned(generator: Generator): Command {
  const { random } = generator
  const { to, value, input } = randomMessage(generator)
  if (isControlled(generator.options.seed as number) && random.oneIn(2)) {
    const recipient = to === undefined ? {} : { to }
    return sendPlayed(generator, { ...recipient, value: toQuantity(value), input: bytesToHex(input) })
  }
  const from = random.oneIn(15) ? strangers[0] : random.pick(senders)
  const request = {
    from,
    ...(to === undefined ? {} : { to }),
    value: toQuantity(value),
    input: bytesToHex(input),
    ...(random.oneIn(2) ? { gas: toQuantity(300_000) } : {}),
    ...(random.oneIn(4) ? { gasPrice: toQuantity(3n * GWEI) } : {}),
  }
  return { call: 'request', method: 'eth_sendTransaction', params: [request] }
}

async function moveTime({ random, options, session }: Generator): Promise<Command> {
  const { blockTimeMs = 0, partialBlockTimeMs = 0 } = options
  const ms = random.pick([
    0,
    1,
    partialBlockTimeMs - 1,
    partialBlockTimeMs,
    partialBlockTimeMs,
    2 * partialBlockTimeMs + 1,
    blockTimeMs,
    2 * blockTimeMs + 1,
  ])
  const latest = await session.chain.request('eth_getBlockByNumber', ['latest', false])
  const timestamp = Number(latest?.timestamp ?? 0) + random.pick([-1, 0, 1, 2, 60])
  const request = (method: string, ...params: readonly unknown[]): Command => ({
    call: 'request',
    method,
    params,
  })
  return random.pick<Command>([
    { call: 'advance', ms },
    { call: 'advance', ms },
    { call: 'advance', ms },
    { call: 'jump', ms },
    { call: 'next' },
    { call: 'next' },
    { call: 'seal' },
    request('evm_mine'),
    request('evm_mine', random.pick<unknown>([{ blocks: 2 }, timestamp, { timestamp, blocks: 3 }])),
    request('evm_increaseTime', random.pick([0, 1, 7])),
    request('evm_setNextBlockTimestamp', toQuantity(timestamp)),
    request('evm_setTime', Math.ceil(session.chain.now / 1000) + random.pick([0, 5])),
    request('anvil_mine', 2, random.pick([0, 1, 30])),
  ])
}

/** Any control except coinbase and base fee, on which the invariants of fees depend. */
function turnControl({ random }: Generator): Command {
  const [method, params] = random.pick<readonly [string, readonly unknown[]]>([
    ['evm_setAutomine', [random.oneIn(2)]],
    ['anvil_setBlockTimestampInterval', [random.pick([1, 3, 20])]],
    ['anvil_removeBlockTimestampInterval', []],
    ['evm_setBlockGasLimit', [random.pick([1_500_000, 2_000_000, 6_000_000])]],
    ['hardhat_setPrevRandao', [`0x${random.pick(['00', '2a', 'ff']).repeat(32)}`]],
    ['miner_setExtra', [random.pick(['0x', '0xc0ffee'])]],
  ])
  return { call: 'request', method, params }
}

function comeAndGo(generator: Generator): Command {
  const { random, snapshots, numbered } = generator
  const isNumbered = random.oneIn(2)
  const names = isNumbered ? numbered : snapshots
  if (names.length === 0 || random.oneIn(2)) {
    const name = ++generator.lastName
    names.unshift(name)
    names.length = Math.min(names.length, 3)
    if (!isNumbered) return { call: 'snapshot', name }
    return { call: 'evm_snapshot', name, method: random.pick(namesOf('evm_snapshot')) }
  }
  const name = random.pick(names)
  if (!isNumbered) return { call: 'revert', name }
  return { call: 'evm_revert', name, method: random.pick(namesOf('evm_revert')), keep: random.oneIn(2) }
}

/** Removes blocks or pre-confirmed transactions. */
async function takeBack({ random, session, recent }: Generator): Promise<Command> {
  const head = await session.chain.request('eth_getBlockByNumber', ['latest', false])
  const pending = await session.chain.request('eth_getBlockByNumber', ['pending', false])
  const preconfirmed = (pending?.transactions ?? []) as readonly Hash[]
  const options = random.pick([{}, { repool: true }, { repool: false }])
  const at = random.pick(['now', 'seal'] as const)
  if (preconfirmed.length > 0 && random.oneIn(2)) {
    return { call: 'dropPreconfirmed', hashes: [random.pick(preconfirmed)], options: { ...options, at } }
  }
  const sealed = (head?.transactions ?? []) as readonly Hash[]
  const waiting = recent.slice(0, 1).map(({ hash }) => hash)
  const blocks = random.pick<readonly (readonly Hash[])[] | undefined>([
    undefined,
    [],
    [[]],
    [sealed, [], preconfirmed],
    [waiting, []],
  ])
  // As deep as the chain is, now and then.
  const depth = random.oneIn(6) ? Math.max(1, Number(head?.number)) : 1 + random.below(3)
  return { call: 'reorg', options: { depth, ...options, ...(blocks === undefined ? {} : { blocks }) } }
}

function look({ random, recent, tokens }: Generator): Command {
  const tag = random.pick(['latest', 'pending', 'earliest', 'safe', 'finalized', '0x1', '0x3'])
  const account = random.pick([...senders, counter, lifecycle, ...tokens])
  const hash = recent[0]?.hash ?? `0x${'00'.repeat(32)}`
  const increment = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })
  const [method, params] = random.pick<readonly [string, readonly unknown[]]>([
    ['eth_getBlockByNumber', [tag, random.oneIn(2)]],
    ['eth_getBlockReceipts', [tag]],
    ['eth_getBalance', [account, tag]],
    ['eth_getTransactionCount', [account, tag]],
    ['eth_getProof', [account, ['0x0'], tag]],
    ['eth_getLogs', [{ fromBlock: random.pick(['earliest', tag]), toBlock: tag }]],
    ['eth_getTransactionByHash', [hash]],
    ['eth_getTransactionReceipt', [hash]],
    ['eth_call', [{ from: senders[0], to: counter, data: increment }, tag]],
    ['eth_estimateGas', [{ from: senders[0], to: counter, data: increment }, tag]],
    ['eth_feeHistory', ['0x3', tag, [10, 90]]],
    ['eth_gasPrice', []],
    ['eth_noSuchMethod', []],
  ])
  return { call: 'request', method, params }
}

type Kind = 'new' | 'again' | 'unsigned' | 'time' | 'turn' | 'failure' | 'look' | 'control' | 'layer 1'

const USUAL: readonly Kind[] = [
  ...(Array.from({ length: 8 }, () => 'new') as 'new'[]),
  ...(['again', 'again', 'unsigned', 'unsigned', 'time', 'time', 'time', 'time'] as const),
  ...(['turn', 'failure', 'failure', 'look'] as const),
]

/** On chains with all controls, half of the commands are controls. */
const CONTROLLED: readonly Kind[] = [
  ...(['new', 'new', 'new', 'new', 'again', 'unsigned', 'unsigned', 'unsigned'] as const),
  ...(['time', 'time', 'time', 'failure', 'look'] as const),
  ...(Array.from({ length: 7 }, () => 'control') as 'control'[]),
]

function nextCommand(generator: Generator, kind: Kind): Command | Promise<Command> {
  switch (kind) {
    case 'new':
      return sendNew(generator)
    case 'again':
      return generator.recent.length === 0 ? sendNew(generator) : sendAgain(generator)
    case 'unsigned':
      return sendUnsigned(generator)
    case 'time':
      return moveTime(generator)
    case 'turn':
      return turnControl(generator)
    case 'failure':
      return randomFailure(generator)
    case 'control':
      return randomControl(generator)
    case 'layer 1':
      return randomFromLayer1(generator, randomMessage(generator))
    case 'look':
      return isControlled(generator.options.seed as number) && generator.random.oneIn(2)
        ? lookAside(generator)
        : look(generator)
  }
}

/** One to four commands that do not await one another. Commands that go back in time are alone. */
export async function nextGroup(generator: Generator): Promise<readonly Command[]> {
  const { random } = generator
  const isAnythingTurned = isControlled(generator.options.seed as number)
  if (random.oneIn(8)) return [comeAndGo(generator)]
  if (random.oneIn(9)) return [await takeBack(generator)]
  if (isAnythingTurned && random.oneIn(12)) return [randomReplacement(generator)]
  const group: Command[] = []
  for (let i = random.below(4); i >= 0; i--) {
    const isTold = isRollup(generator.options.seed as number) && random.oneIn(6)
    const kind = isTold ? 'layer 1' : random.pick(isAnythingTurned ? CONTROLLED : USUAL)
    group.push(await nextCommand(generator, kind))
  }
  return group
}
