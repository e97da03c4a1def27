// The same random commands on an emulator of each interpreter, which must answer the same, to the last digit of gas.

import { gunzipSync } from 'node:zlib'
import { type Hex, numberToHex, padHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createRandom, pickWeighted, type Random } from '../../scripts/fuzz/random.js'
import { base, createEmulator, type Emulator, type EmulatorOptions } from '../../src/index.ts'
import { Doer } from '../contracts/generated.ts'
import { act, CHILDREN, DOERS, randomScript } from './scripts.ts'

const GWEI = 10n ** 9n
const SENDERS: readonly Hex[] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
]
/** Accounts that delegate; the first has the key of a sender. */
const OWNERS = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  `0x${'a0'.repeat(31)}01`,
  `0x${'a0'.repeat(31)}02`,
].map((key) => privateKeyToAccount(key as Hex))
const AUTHORITIES = OWNERS.map(({ address }) => address.toLowerCase() as Hex)
const COINBASE: Hex = `0x${'cb'.repeat(20)}`
const HISTORY: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935'
const ACCOUNTS = [...AUTHORITIES, ...SENDERS.slice(1), COINBASE, HISTORY]

/** Where everything happens. */
export type World =
  | 'shanghai'
  | 'cancun'
  | 'prague'
  | 'osaka'
  /** Forks of another emulator, with made-up and with proven roots. */
  | 'fork'
  | 'proven'
  /** OP chains: with Base's parameters, and through all forks. */
  | 'base'
  | 'op'
export const WORLDS: readonly World[] = [
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'fork',
  'proven',
  'base',
  'op',
]

type Side = 'wasm' | 'reference'

const word = (value: number): Hex => padHex(numberToHex(value), { size: 32 })

/** Doers with some storage, one of them at the place of a child in some seeds. */
function allocOf(random: Random) {
  const doer = (count: number) => ({
    ...{ nonce: 1, balance: 1000, code: Doer.deployedBytecode },
    storage: Object.fromEntries(Array.from({ length: count }, (_, slot) => [word(slot), word(slot + 1)])),
  })
  return {
    ...Object.fromEntries(DOERS.map((address) => [address, doer(random.below(4))])),
    [AUTHORITIES[1]!]: { balance: 10n ** 20n },
    [AUTHORITIES[2]!]: { balance: 5 },
    ...(random.oneIn(4) ? { [CHILDREN[0]!]: { balance: 7 } } : {}),
    ...(random.oneIn(4) ? { [CHILDREN[1]!]: doer(2) } : {}),
  }
}

function optionsOf(random: Random, world: World): EmulatorOptions {
  const common: EmulatorOptions = {
    production: random.pick(['interval', 'interval', 'auto', 'manual']),
    ordering: 'fifo',
    seed: 1,
    accounts: { count: 3 },
    genesis: { alloc: allocOf(random), gasLimit: random.pick([30_000_000, 500_000_000]) },
    flavor: random.pick(['anvil', 'hardhat']),
  }
  if (world === 'base') return base({ ...common, genesis: { alloc: allocOf(random) } })
  if (world === 'op') {
    const start = 1_704_067_200
    const fork = {
      ...{ regolith: 0, canyon: 0, delta: 0, ecotone: start + 3, fjord: start + 5, granite: start + 9 },
      ...{ holocene: start + 13, isthmus: start + 15, jovian: start + 21 },
    }
    const { delta, ...forks } = fork
    return { ...common, genesis: { alloc: allocOf(random) }, rollup: { stack: 'op', fork: forks } }
  }
  const coinbase = random.oneIn(3) ? DOERS[2]! : COINBASE
  if (world === 'fork' || world === 'proven')
    return { ...common, hardfork: random.pick(['shanghai', 'prague']) }
  return { ...common, coinbase, hardfork: world }
}

/** A chain and what it has told. */
interface Session {
  chain: Emulator
  readonly side: Side
  readonly snapshots: ReturnType<Emulator['snapshot']>[]
  readonly left: Emulator[]
}

interface Play {
  readonly random: Random
  readonly world: World
  /** The chain on which the generator looks, and the other. */
  readonly sessions: readonly [Session, Session]
  readonly hashes: Hex[]
  readonly log: string[]
}

type Answer = { readonly result: unknown } | { readonly error: object }

async function answerOf(run: () => Promise<unknown>): Promise<Answer> {
  try {
    return { result: await run() }
  } catch (error) {
    const { name, code, kind, message, data } = error as Record<string, unknown>
    return { error: { name, code, kind, message, data } }
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part), 1) ?? 'undefined'
}

/** An answer that the sides do not share. */
export class Difference extends Error {}

/** Runs a command on both sides. */
async function both(play: Play, name: string, run: (session: Session) => Promise<unknown>): Promise<unknown> {
  play.log.push(name)
  const [ours, theirs] = play.sessions
  const a = await answerOf(() => run(ours))
  const b = await answerOf(() => run(theirs))
  const [mine, other] = [textOf(a), textOf(b)]
  if (mine !== other) {
    const lines = [mine.split('\n'), other.split('\n')] as const
    const at = lines[0].findIndex((line, index) => line !== lines[1][index])
    const part = lines.map((side) => side.slice(Math.max(0, at - 3), at + 4).join('\n'))
    const last = play.log.slice(-12).map((line) => line.slice(0, 600))
    throw new Difference(
      [`after ${play.log.length}:`, ...last, 'ours', part[0], 'reference', part[1]].join('\n'),
    )
  }
  return 'result' in a ? a.result : undefined
}

function ask(play: Play, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const request = { method, params } as unknown as Parameters<Emulator['request']>[0]
  return both(
    play,
    textOf(request).replace(/\s+/g, ' '),
    ({ chain }) => chain.request(request) as Promise<unknown>,
  )
}

/** What fills the tables of a transaction, and recursion as deep as the gas lasts. */
function heavyInput(random: Random): Hex {
  return random.pick([
    act.fill(0, random.pick([8200, 16_500]), random.below(3)),
    act.read(0, 17_000),
    act.countTransient(1, 17_000),
    act.recurse(random.below(4)),
    `${act.storeTransient(1, 1)}${act.store(1, 2).slice(2)}${act.recurse(random.pick([0, 2])).slice(2)}` as Hex,
  ])
}

function randomMessage(play: Play) {
  const { random } = play
  const to = random.pick([...DOERS, ...DOERS, ...CHILDREN.slice(0, 2), ...ACCOUNTS])
  const input = randomScript({ random, accounts: ACCOUNTS })
  const isCreation = random.oneIn(12)
  const value = toHex(random.pick([0n, 0n, 0n, 1n, 1000n, 10n ** 24n]))
  return isCreation ? { input: Doer.bytecode, value: '0x0' } : { to, input, value }
}

function randomGas({ random }: Play): Hex | undefined {
  const gas = random.pick([undefined, 100_000, 400_000, 2_000_000, 2_000_000, 16_000_000])
  return gas === undefined ? undefined : toHex(gas)
}

function randomAccessList(random: Random) {
  const keys = Array.from({ length: random.below(3) }, () => word(random.below(4)))
  return [{ address: random.pick([...DOERS, ...CHILDREN]), storageKeys: keys }]
}

function randomRequest(play: Play) {
  const { random } = play
  const gas = randomGas(play)
  return {
    from: random.pick(SENDERS),
    ...randomMessage(play),
    ...(gas === undefined ? {} : { gas }),
    ...(random.oneIn(4) ? { accessList: randomAccessList(random) } : {}),
  }
}

/** A transaction that no struct logs are asked of. */
async function sendHeavy(play: Play): Promise<void> {
  const { random } = play
  const [to] = DOERS
  const message = {
    from: SENDERS[0],
    to,
    input: heavyInput(random),
    gas: toHex(random.pick([9_000_000, 400_000_000])),
  }
  const hash = await ask(play, 'eth_sendTransaction', message)
  await ask(play, 'debug_traceTransaction', hash, {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
  })
}

async function keep(play: Play, sent: Promise<unknown>): Promise<void> {
  const hash = await sent
  if (typeof hash === 'string') play.hashes.push(hash as Hex)
}

const MAX_FEE = 100n * GWEI

/** A transaction that sets, chains or clears delegations (EIP-7702). */
async function delegate(play: Play): Promise<void> {
  const { random, sessions } = play
  const { chain } = sessions[0]
  const chainId = chain.settings.chainId
  const nonces = new Map<Hex, number>()
  const authorizationList = []
  for (let count = 1 + random.below(3); count > 0; count--) {
    const index = random.below(OWNERS.length)
    const authority = AUTHORITIES[index]!
    const pending = BigInt((await chain.request('eth_getTransactionCount', [authority, 'pending'])) as Hex)
    const nonce = nonces.get(authority) ?? Number(pending)
    nonces.set(authority, nonce + 1)
    const target = random.pick([
      ...DOERS,
      ...AUTHORITIES,
      padHex('0x04', { size: 20 }),
      padHex('0x', { size: 20 }),
    ])
    const signed = await OWNERS[index]!.signAuthorization({
      ...{ address: target, chainId: random.pick([0, chainId, chainId, 5]) },
      nonce: random.oneIn(6) ? nonce + 1 : nonce,
    })
    authorizationList.push(signed)
  }
  const sender = random.oneIn(3) ? OWNERS[0]! : OWNERS[1]!
  const from = sender.address.toLowerCase() as Hex
  const nonce = Number(BigInt((await chain.request('eth_getTransactionCount', [from, 'pending'])) as Hex))
  const { value, ...rest } = randomMessage(play)
  const to = 'to' in rest ? rest.to : DOERS[0]!
  const raw = await sender.signTransaction({
    ...{
      type: 'eip7702',
      chainId,
      nonce,
      gas: 2_000_000n,
      maxFeePerGas: MAX_FEE,
      maxPriorityFeePerGas: GWEI,
    },
    ...{ to, data: rest.input, value: BigInt(value) > 1000n ? 0n : BigInt(value), authorizationList },
  })
  await keep(play, ask(play, 'eth_sendRawTransaction', raw))
}

async function moveTime(play: Play): Promise<void> {
  const { random } = play
  const ms = random.pick([1, 200, 200, 400, 2000, 4100])
  await random.pick([
    () => both(play, `advance ${ms}`, ({ chain }) => chain.advance(ms)),
    () => both(play, 'seal', ({ chain }) => chain.seal()),
    () => both(play, 'next', ({ chain }) => chain.next()),
    () => both(play, `jump ${ms}`, ({ chain }) => chain.jump(ms)),
  ])()
}

async function goBack(play: Play): Promise<void> {
  const { random, sessions, world } = play
  const count = sessions[0].snapshots.length
  const index = random.below(Math.max(1, count))
  await pickWeighted(random, [
    [3, () => both(play, 'snapshot', async ({ chain, snapshots }) => snapshots.push(chain.snapshot()))],
    [
      3,
      () =>
        both(play, `revert ${index}`, async ({ chain, snapshots }) => {
          const snapshot = snapshots[index]
          if (snapshot !== undefined) await chain.revert(snapshot)
        }),
    ],
    [
      2,
      // The original stays, and goes on later.
      () =>
        both(play, 'clone', async (session) => {
          session.left.push(session.chain)
          session.chain = session.chain.clone()
        }),
    ],
    [
      2,
      () =>
        both(play, 'back to the original', async (session) => {
          session.chain = session.left.pop() ?? session.chain
        }),
    ],
    [2, () => ask(play, random.pick(['tickchain_reorg', 'anvil_reorg']), 1 + random.below(2), ...[])],
    // That of a fork has what was read of the upstream, too, which an interpreter may read earlier than another.
    [
      world === 'fork' || world === 'proven' ? 0 : 1,
      () => both(play, 'dump', async ({ chain }) => JSON.parse(gunzipSync(await chain.dump()).toString())),
    ],
  ])()
}

async function edit(play: Play): Promise<void> {
  const { random } = play
  const account = random.pick([...DOERS, ...CHILDREN.slice(0, 2), ...ACCOUNTS.slice(0, 3)])
  const code = random.pick<Hex>([
    Doer.deployedBytecode,
    Doer.deployedBytecode,
    '0x',
    `0xef0100${DOERS[1]!.slice(2)}`,
  ])
  await pickWeighted(random, [
    [4, () => ask(play, 'hardhat_setStorageAt', account, toHex(random.below(4)), word(random.below(3)))],
    [2, () => ask(play, 'hardhat_setBalance', account, toHex(random.pick([0n, 500n, 10n ** 21n])))],
    [1, () => ask(play, 'hardhat_setCode', account, code)],
    [1, () => ask(play, 'hardhat_setNonce', random.pick(CHILDREN), toHex(random.below(3)))],
  ])()
}

function stateOverrides(random: Random): Record<Hex, object> {
  const overrides: Record<Hex, object> = {}
  for (let count = random.below(3); count > 0; count--) {
    const slots = { [word(random.below(4))]: word(random.below(3)) }
    const address = random.pick([...DOERS, ...CHILDREN, ...ACCOUNTS])
    overrides[address] = {
      ...(random.oneIn(2) ? {} : random.oneIn(2) ? { state: slots } : { stateDiff: slots }),
      ...(random.oneIn(2) ? { code: Doer.deployedBytecode } : {}),
      ...(random.oneIn(3) ? { balance: toHex(10n ** 19n) } : {}),
      ...(random.oneIn(6) ? { nonce: '0x5' } : {}),
    }
  }
  if (random.oneIn(8))
    overrides[padHex('0x02', { size: 20 })] = {
      movePrecompileToAddress: CHILDREN[2]!,
      code: Doer.deployedBytecode,
    }
  return overrides
}

function blockOverrides(random: Random): object {
  return {
    ...(random.oneIn(2) ? { number: toHex(500 + random.below(9)) } : {}),
    ...(random.oneIn(2) ? { time: toHex(1_904_067_200) } : {}),
    ...(random.oneIn(2) ? { baseFeePerGas: '0x7' } : {}),
    ...(random.oneIn(3) ? { feeRecipient: DOERS[1]! } : {}),
    ...(random.oneIn(3) ? { prevRandao: word(77) } : {}),
    ...(random.oneIn(5) ? { gasLimit: toHex(9_000_000) } : {}),
  }
}

const TRACERS: readonly object[] = [
  {},
  { enableMemory: true, enableReturnData: true },
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
  { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } },
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  { tracer: '4byteTracer' },
  { tracer: 'flatCallTracer' },
]

function simulation(play: Play): object {
  const { random } = play
  const calls = () => Array.from({ length: 1 + random.below(3) }, () => randomRequest(play))
  return {
    blockStateCalls: Array.from({ length: 1 + random.below(3) }, () => ({
      calls: calls(),
      ...(random.oneIn(2) ? { stateOverrides: stateOverrides(random) } : {}),
      ...(random.oneIn(4) ? { blockOverrides: { feeRecipient: DOERS[1]! } } : {}),
    })),
    ...{ traceTransfers: random.oneIn(2), validation: false, returnFullTransactions: random.oneIn(2) },
  }
}

async function look(play: Play): Promise<void> {
  const { random, hashes } = play
  const tag = random.pick(['latest', 'pending', 'pending', '0x1'])
  const call = randomRequest(play)
  const overrides = stateOverrides(random)
  const hash = hashes[random.below(Math.max(1, hashes.length))] ?? word(0)
  const tracer = random.pick(TRACERS)
  const slots = [0, 1, 2, 3].map(word)
  await pickWeighted(random, [
    [
      4,
      () => ask(play, 'eth_call', call, tag, overrides, ...(random.oneIn(2) ? [blockOverrides(random)] : [])),
    ],
    [4, () => ask(play, 'eth_estimateGas', call, tag, overrides)],
    [2, () => ask(play, 'eth_createAccessList', call, tag)],
    [3, () => ask(play, 'eth_simulateV1', simulation(play), tag)],
    [4, () => ask(play, 'debug_traceTransaction', hash, tracer)],
    [3, () => ask(play, 'debug_traceCall', call, tag, { ...tracer, stateOverrides: overrides })],
    [1, () => ask(play, 'debug_traceBlockByNumber', tag, random.pick(TRACERS.slice(2)))],
    [1, () => ask(play, 'trace_replayTransaction', hash, ['trace', 'stateDiff', 'vmTrace'])],
    [2, () => ask(play, 'eth_getBlockByNumber', tag, true)],
    [1, () => ask(play, 'eth_getProof', random.pick([...DOERS, ...ACCOUNTS]), slots, tag)],
    [2, () => ask(play, 'eth_getTransactionReceipt', hash)],
  ])()
}

async function deposit(play: Play): Promise<void> {
  const { random } = play
  const { value, ...message } = randomMessage(play)
  const fields = {
    from: random.pick([...SENDERS, ...DOERS]),
    mint: random.pick([0n, 1n, 10n ** 19n]),
    ...('to' in message ? { to: message.to } : {}),
    ...{ data: message.input, value: BigInt(value), gasLimit: random.pick([400_000, 2_000_000]) },
  }
  await both(play, `deposit ${textOf(fields)}`, async ({ chain }) => {
    const { hash } = await chain.deposit(fields as Parameters<Emulator['deposit']>[0])
    return hash
  }).then((hash) => hash !== undefined && play.hashes.push(hash as Hex))
}

function nextCommand(play: Play): Promise<unknown> {
  const { random, world } = play
  const isRollup = world === 'base' || world === 'op'
  return pickWeighted(random, [
    [10, () => keep(play, ask(play, 'eth_sendTransaction', randomRequest(play)))],
    [world === 'shanghai' || world === 'cancun' ? 0 : 3, () => delegate(play)],
    [isRollup ? 2 : 0, () => deposit(play)],
    [6, () => moveTime(play)],
    [3, () => goBack(play)],
    [3, () => edit(play)],
    [8, () => look(play)],
  ])()
}

async function startSide(seed: number, world: World, side: Side): Promise<Session> {
  const options = optionsOf(createRandom(seed), world)
  const chain = await createEmulator({ ...options, interpreter: side })
  return { chain, side, snapshots: [], left: [] }
}

/** Goes on with a fork of what has been done so far. */
async function goOnWithFork(play: Play, seed: number): Promise<void> {
  const { world, hashes } = play
  await both(play, 'fork', async (session) => {
    const upstream = session.chain.clone()
    const { production, flavor } = optionsOf(createRandom(seed), world)
    session.snapshots.length = 0
    session.left.length = 0
    session.chain = await createEmulator({
      ...{ production: production!, flavor: flavor!, ordering: 'fifo', accounts: { count: 3, balance: 0n } },
      ...{ interpreter: session.side, seed: 2 },
      fork: { upstream, roots: world === 'proven' ? 'proven' : 'synthetic' },
    })
  })
  hashes.length = 0
}

/** Everything that is left at the end. */
async function conclude(play: Play): Promise<void> {
  await both(play, 'seal', ({ chain }) => chain.seal())
  await ask(play, 'eth_getBlockByNumber', 'latest', true)
  for (const hash of play.hashes) await ask(play, 'eth_getTransactionReceipt', hash)
  for (const address of [...DOERS, ...CHILDREN, ...ACCOUNTS]) {
    await ask(play, 'eth_getBalance', address, 'latest')
    for (let slot = 0; slot < 8; slot++) await ask(play, 'eth_getStorageAt', address, toHex(slot), 'latest')
  }
}

/** Plays random commands; throws a `Difference`. Returns what has been done. */
export async function compareEmulators(
  seed: number,
  world: World,
  commands: number,
  isHeavy = false,
): Promise<readonly string[]> {
  const sessions = [await startSide(seed, world, 'wasm'), await startSide(seed, world, 'reference')] as const
  const play: Play = { random: createRandom(seed), world, sessions, hashes: [], log: [] }
  const isForked = world === 'fork' || world === 'proven'
  for (let count = 0; count < commands; count++) {
    if (isForked && count === commands >> 2) await goOnWithFork(play, seed)
    await nextCommand(play)
  }
  if (isHeavy) await sendHeavy(play)
  await conclude(play)
  for (const { chain, left } of sessions) for (const each of [chain, ...left]) await each.dispose()
  return play.log
}
