// Withdrawals on the layer 1: proposed as games, proved, waited for, finalised, with the real contracts' checks.

import { encodeAbiParameters, type Hex, keccak256, parseAbi, parseEther, parseEventLogs, toHex } from 'viem'
import {
  buildProveWithdrawal,
  finalizeWithdrawal,
  getGame,
  getWithdrawalStatus,
  getWithdrawals,
  proveWithdrawal,
} from 'viem/op-stack'
import { describe, expect, test } from 'vitest'
import type { RollupOnL1 } from '../../../src/tools/pair/l1-genesis-options.ts'
import {
  ALICE,
  CHALLENGER,
  GUARDIAN,
  MESSAGE_PASSER,
  OWNER,
  outputOf,
  PROPOSER,
  startL1,
  startL2,
  viemChain,
} from './l1-start.ts'

const PORTAL = parseAbi([
  'function proveWithdrawalTransaction((uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data) withdrawal, uint256 gameIndex, (bytes32 version, bytes32 stateRoot, bytes32 messagePasserStorageRoot, bytes32 latestBlockhash) output, bytes[] proof)',
  'function finalizeWithdrawalTransaction((uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data) withdrawal)',
  'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable',
])
const PASSER = parseAbi(['function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable'])
const GAME = parseAbi([
  'function status() view returns (uint8)',
  'function l2SequenceNumber() view returns (uint256)',
  'function l2BlockNumber() view returns (uint256)',
  'function gameCreator() view returns (address)',
  'function claimCredit(address recipient)',
  'function getRequiredBond(uint128 position) view returns (uint256)',
  'function attack(bytes32 disputed, uint256 parentIndex, bytes32 claim) payable',
  'function resolveClaim(uint256 index, uint256 count)',
  'function resolve() returns (uint8)',
])
const FACTORY = parseAbi([
  'function create(uint32 gameType, bytes32 rootClaim, bytes extraData) payable returns (address)',
  'function initBonds(uint32 gameType) view returns (uint256)',
  'event DisputeGameCreated(address indexed game, uint32 indexed gameType, bytes32 indexed rootClaim)',
])
const REGISTRY = parseAbi([
  'function anchors(uint32 gameType) view returns (bytes32 root, uint256 blockNumber)',
])
const SUPERCHAIN = parseAbi(['function pause(string identifier)', 'function unpause()'])

const BOB = '0x00000000000000000000000000000000000000bb'
const BOND = parseEther('0.08')
const DAY_S = 86_400
const DAY_MS = 1000 * DAY_S
const IN_PROGRESS = 0
const CHALLENGER_WINS = 1
const DEFENDER_WINS = 2

type Settings = Partial<RollupOnL1>

/** Both chains, with ether in the portal and a withdrawal of 3 wei to Bob in the layer 2's block 1. */
async function startWithdrawal(settings: Settings = {}) {
  const l1 = await startL1(settings)
  const l2 = await startL2(l1.addresses)
  await l1.wallet.writeContract({
    account: ALICE,
    abi: PORTAL,
    address: l1.addresses.optimismPortal,
    functionName: 'depositTransaction',
    args: [ALICE, 10n, 100_000n, false, '0x'],
    value: 10n,
  })
  const hash = await l2.wallet.writeContract({
    account: ALICE,
    abi: PASSER,
    address: MESSAGE_PASSER,
    functionName: 'initiateWithdrawal',
    args: [BOB, 50_000n, '0x'],
    value: 3n,
    chain: null,
  })
  const receipt = await l2.reader.getTransactionReceipt({ hash })
  const [withdrawal] = getWithdrawals(receipt)
  if (withdrawal === undefined) throw new Error('no withdrawal')
  return { l1, l2, receipt, withdrawal, target: viemChain(901, l1.addresses) }
}

type Started = Awaited<ReturnType<typeof startWithdrawal>>

/** Proposes the layer 2's output after block 1, or another root. */
async function propose(
  { l1, l2 }: Started,
  changes: { from?: Hex; value?: bigint; root?: Hex; gameType?: number } = {},
) {
  const { from = PROPOSER, value = BOND, gameType = 1 } = changes
  const { root = (await outputOf(l2.chain, 1)).root } = changes
  const hash = await l1.wallet.writeContract({
    account: from,
    abi: FACTORY,
    address: l1.addresses.disputeGameFactory,
    functionName: 'create',
    args: [gameType, root, toHex(1, { size: 32 })],
    value,
  })
  const { logs } = await l1.reader.getTransactionReceipt({ hash })
  const [created] = parseEventLogs({ abi: FACTORY, logs })
  expect(created?.args).toMatchObject({ gameType, rootClaim: root })
  return created?.args.game as Hex
}

async function prove(
  { l1, l2, withdrawal }: Started,
  changes: { output?: object; proof?: Hex[]; index?: bigint } = {},
) {
  const { args } = await buildArguments({ l2, withdrawal })
  const { output = args.output, proof = args.proof, index = 0n } = changes
  return l1.wallet.writeContract({
    account: ALICE,
    abi: PORTAL,
    address: l1.addresses.optimismPortal,
    functionName: 'proveWithdrawalTransaction',
    args: [withdrawal, index, { ...args.output, ...output }, proof],
  })
}

/** The parts of a proof, without viem's op-stack: the slot is the withdrawal's in the mapping in slot 0. */
async function buildArguments({ l2, withdrawal }: Pick<Started, 'l2' | 'withdrawal'>) {
  const slot = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [withdrawal.withdrawalHash, 0n]),
  )
  const { storageProof } = await l2.chain.request({
    method: 'eth_getProof',
    params: [MESSAGE_PASSER, [slot], '0x1'],
  })
  const { proof: output } = await outputOf(l2.chain, 1)
  return { args: { output, proof: storageProof[0]?.proof as Hex[] } }
}

const finalize = ({ l1, withdrawal }: Started) =>
  l1.wallet.writeContract({
    account: ALICE,
    abi: PORTAL,
    address: l1.addresses.optimismPortal,
    functionName: 'finalizeWithdrawalTransaction',
    args: [withdrawal],
  })

const resolveClaim = ({ l1 }: Started, game: Hex, index = 0n) =>
  l1.wallet.writeContract({
    account: ALICE,
    abi: GAME,
    address: game,
    functionName: 'resolveClaim',
    args: [index, 0n],
  })

const resolveGame = ({ l1 }: Started, game: Hex) =>
  l1.wallet.writeContract({ account: ALICE, abi: GAME, address: game, functionName: 'resolve' })

async function resolve(started: Started, game: Hex) {
  await resolveClaim(started, game)
  await resolveGame(started, game)
}

describe('a game', () => {
  test('is created by the proposer, and says what it is about', async () => {
    const started = await startWithdrawal()
    const game = { abi: GAME, address: await propose(started) } as const
    const read = (functionName: 'status' | 'l2SequenceNumber' | 'l2BlockNumber' | 'gameCreator') =>
      started.l1.reader.readContract({ ...game, functionName })
    expect(await read('status')).toBe(IN_PROGRESS)
    expect(await read('l2SequenceNumber')).toBe(1n)
    expect(await read('l2BlockNumber')).toBe(1n)
    expect(`${await read('gameCreator')}`.toLowerCase()).toBe(PROPOSER)
  })

  test.each([
    ['BadAuth', { from: ALICE }],
    ['IncorrectBondAmount', { value: BOND - 1n }],
    ['NoImplementation', { gameType: 9, value: 0n }],
  ] as const)('is refused with %s', { tags: 'gate' }, async (error, changes) => {
    const started = await startWithdrawal()
    await expect(propose(started, changes)).rejects.toThrow(`execution reverted: ${error}(`)
  })

  test('is refused for an output that is proposed already, without a block number, and before the anchor', async () => {
    const started = await startWithdrawal()
    await propose(started)
    await expect(propose(started)).rejects.toThrow('GameAlreadyExists')
    const { l1 } = started
    const create = {
      account: PROPOSER,
      abi: FACTORY,
      address: l1.addresses.disputeGameFactory,
      functionName: 'create',
      args: [1, `0x${'ee'.repeat(32)}`, '0x01'],
      value: BOND,
    } as const
    await expect(l1.wallet.writeContract(create)).rejects.toThrow('BadExtraData()')
    const later = await startWithdrawal({ anchor: { outputRoot: `0x${'ab'.repeat(32)}`, blockNumber: 1 } })
    await expect(propose(later)).rejects.toThrow('UnexpectedRootClaim')
  })

  test('of the permissionless type is created by anybody', async () => {
    const started = await startWithdrawal({ respectedGameType: 0 })
    expect(await propose(started, { from: ALICE, gameType: 0 })).toMatch(/^0x/)
  })

  test('is resolved when its clock has run out; the anchor moves and the bond comes back', async () => {
    const started = await startWithdrawal({ maxClockDurationS: DAY_S, bondDelayS: 100 })
    const { l1 } = started
    const game = await propose(started)
    await expect(resolve(started, game)).rejects.toThrow('ClockNotExpired')
    await l1.chain.jump(DAY_MS)
    await expect(resolveGame(started, game)).rejects.toThrow('OutOfOrderResolution')
    await resolve(started, game)
    const status = { abi: GAME, address: game, functionName: 'status' } as const
    expect(await l1.reader.readContract(status)).toBe(DEFENDER_WINS)
    const { root } = await outputOf(started.l2.chain, 1)
    const anchors = {
      abi: REGISTRY,
      address: l1.addresses.anchorStateRegistry,
      functionName: 'anchors',
    } as const
    expect(await l1.reader.readContract({ ...anchors, args: [1] })).toEqual([root, 1n])

    const claim = {
      account: ALICE,
      abi: GAME,
      address: game,
      functionName: 'claimCredit',
      args: [PROPOSER],
    } as const
    await expect(l1.wallet.writeContract(claim)).rejects.toThrow('DelayedWETH: withdrawal delay not met')
    await l1.chain.jump(112_000)
    const before = await l1.reader.getBalance({ address: PROPOSER })
    await l1.wallet.writeContract(claim)
    expect((await l1.reader.getBalance({ address: PROPOSER })) - before).toBe(BOND)
  })

  test('that is challenged and not defended is lost, and proves nothing', async () => {
    const started = await startWithdrawal()
    const { l1 } = started
    const { root } = await outputOf(started.l2.chain, 1)
    const game = await propose(started)
    const call = { abi: GAME, address: game } as const
    // An attack on the root claim is at position 2, left below position 1.
    const bond = await l1.reader.readContract({ ...call, functionName: 'getRequiredBond', args: [2n] })
    const attack = {
      ...call,
      functionName: 'attack',
      args: [root, 0n, `0x${'ff'.repeat(32)}`],
      value: bond,
    } as const
    await expect(l1.wallet.writeContract({ ...attack, account: ALICE })).rejects.toThrow('BadAuth()')
    await l1.wallet.writeContract({ ...attack, account: CHALLENGER })
    await l1.chain.jump(3.5 * DAY_MS + 12_000)
    await expect(resolveClaim(started, game)).rejects.toThrow('OutOfOrderResolution()')
    await resolveClaim(started, game, 1n)
    await resolveClaim(started, game)
    await resolveGame(started, game)
    expect(await l1.reader.readContract({ ...call, functionName: 'status' })).toBe(CHALLENGER_WINS)
    await expect(prove(started)).rejects.toThrow('OptimismPortal: cannot prove against invalid dispute games')
  })

  test('costs the bond that the factory tells', async () => {
    const { l1 } = await startWithdrawal({ initialBond: 5n })
    const bonds = {
      abi: FACTORY,
      address: l1.addresses.disputeGameFactory,
      functionName: 'initBonds',
    } as const
    expect(await l1.reader.readContract({ ...bonds, args: [0] })).toBe(5n)
    expect(await l1.reader.readContract({ ...bonds, args: [1] })).toBe(5n)
  })
})

describe('a withdrawal', () => {
  test('is proved, waits, and pays', async () => {
    const started = await startWithdrawal()
    const { l1 } = started
    const game = await propose(started)
    // A proof counts only in a later block than the game's, as time goes.
    await l1.chain.jump(12_000)
    await prove(started)
    await expect(finalize(started)).rejects.toThrow('OptimismPortal: proven withdrawal has not matured yet')
    await l1.chain.jump(7 * DAY_MS - 24_000)
    await expect(finalize(started)).rejects.toThrow('OptimismPortal: proven withdrawal has not matured yet')
    await l1.chain.jump(36_000)
    await expect(finalize(started)).rejects.toThrow('OptimismPortal: output proposal has not been validated')
    await resolve(started, game)
    await expect(finalize(started)).rejects.toThrow('OptimismPortal: output proposal in air-gap')
    await l1.chain.jump(3.5 * DAY_MS + 12_000)
    expect(await l1.reader.getBalance({ address: BOB })).toBe(0n)
    await finalize(started)
    expect(await l1.reader.getBalance({ address: BOB })).toBe(3n)
    expect(await l1.reader.getBalance({ address: l1.addresses.optimismPortal })).toBe(7n)
    await expect(finalize(started)).rejects.toThrow('OptimismPortal: withdrawal has already been finalized')
  })

  test('is finalised after 7 days where the game was resolved in time', async () => {
    const started = await startWithdrawal()
    const { l1 } = started
    const game = await propose(started)
    await l1.chain.jump(12_000)
    await prove(started)
    await l1.chain.jump(3.5 * DAY_MS)
    await resolve(started, game)
    await l1.chain.jump(3.5 * DAY_MS + 12_000)
    await finalize(started)
    expect(await l1.reader.getBalance({ address: BOB })).toBe(3n)
  })

  test('cannot be finalised unproved', async () => {
    await expect(finalize(await startWithdrawal())).rejects.toThrow(
      'OptimismPortal: withdrawal has not been proven by proof submitter address yet',
    )
  })

  test('is refused with a proof for another root', async () => {
    const started = await startWithdrawal()
    await propose(started)
    const wrong: Hex = `0x${'cd'.repeat(32)}`
    await expect(prove(started, { output: { stateRoot: wrong } })).rejects.toThrow(
      'OptimismPortal: invalid output root proof',
    )
    await expect(prove(started, { output: { messagePasserStorageRoot: wrong } })).rejects.toThrow(
      'OptimismPortal: invalid output root proof',
    )
  })

  test('is refused where the proposed output is another', async () => {
    const started = await startWithdrawal()
    await propose(started, { root: `0x${'ee'.repeat(32)}` })
    await expect(prove(started)).rejects.toThrow('OptimismPortal: invalid output root proof')
  })

  test('is refused with a proof of something else', async () => {
    const started = await startWithdrawal()
    await propose(started)
    // The storage of the message passer has the nonce beside the withdrawal.
    const changed = { ...started, withdrawal: { ...started.withdrawal, value: 4n } }
    await expect(prove(changed)).rejects.toThrow(/execution reverted/)
    await expect(prove(started, { proof: ['0xc0'] })).rejects.toThrow(/execution reverted/)
  })

  test('is refused against a game of a type that does not count', async () => {
    const started = await startWithdrawal({ respectedGameType: 0 })
    await propose(started)
    await expect(prove(started)).rejects.toThrow('OptimismPortal: invalid game type')
  })

  test('stands still while the guardian has paused', async () => {
    const started = await startWithdrawal()
    const { l1 } = started
    await propose(started)
    const superchainConfig = await l1.reader.readContract({
      abi: parseAbi(['function superchainConfig() view returns (address)']),
      address: l1.addresses.optimismPortal,
      functionName: 'superchainConfig',
    })
    const pause = {
      abi: SUPERCHAIN,
      address: superchainConfig,
      functionName: 'pause',
      args: ['test'],
    } as const
    await expect(l1.wallet.writeContract({ ...pause, account: OWNER })).rejects.toThrow(
      'SuperchainConfig: only guardian can pause',
    )
    await l1.wallet.writeContract({ ...pause, account: GUARDIAN })
    await expect(prove(started)).rejects.toThrow('CallPaused()')
    await l1.wallet.writeContract({ ...pause, functionName: 'unpause', args: [], account: GUARDIAN })
    expect(await prove(started)).toMatch(/^0x/)
  })

  test("is proved and finalised by viem's actions", async () => {
    const started = await startWithdrawal()
    const { l1, l2, receipt, withdrawal, target } = started
    const status = () => getWithdrawalStatus(l1.reader, { receipt, targetChain: target as never })
    const where = { targetChain: target as never }
    expect(await status()).toBe('waiting-to-prove')
    const address = await propose(started)
    expect(await status()).toBe('ready-to-prove')
    const game = await getGame(l1.reader, { ...where, l2BlockNumber: receipt.blockNumber })
    expect(game.l2BlockNumber).toBe(1n)
    await l1.chain.jump(12_000)
    const built = await buildProveWithdrawal(l2.reader, { withdrawal, game, account: ALICE })
    await proveWithdrawal(l1.wallet, { ...built, ...where, account: ALICE } as never)
    expect(await status()).toBe('waiting-to-finalize')
    await l1.chain.jump(3.5 * DAY_MS)
    await resolve(started, address)
    await l1.chain.jump(3.5 * DAY_MS + 12_000)
    // Reads are of the last block, and automatic production seals none without a transaction.
    await l1.chain.seal()
    expect(await status()).toBe('ready-to-finalize')
    await finalizeWithdrawal(l1.wallet, { ...where, withdrawal, account: ALICE } as never)
    expect(await status()).toBe('finalized')
    expect(await l1.reader.getBalance({ address: BOB })).toBe(3n)
  })
})
