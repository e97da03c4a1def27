// Generator of random commands of a pair. The next command depends only on the seed and on the pair's answers.

import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { getGames, getWithdrawals } from 'viem/op-stack'
import type { Random } from '../../../scripts/fuzz/random.js'
import { type Address, type Hash, toQuantity } from '../../../src/core/primitives/hex.ts'
import { OP_PREDEPLOYS } from '../../../src/core/rollup/op/predeploys.ts'
import { Counter } from '../../contracts/generated.ts'
import { clientsOf } from '../../tools/pair/clients.ts'
import type { Layer, PairCommand, PairSession } from './commands.ts'
import { isByProtocol } from './world.ts'

const ON_L1 = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable',
  'function bridgeETH(uint32 minGasLimit, bytes extraData) payable',
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
  'function setGasConfigEcotone(uint32 baseFeeScalar, uint32 blobBaseFeeScalar)',
  'function setGasLimit(uint64 gasLimit)',
  'function setEIP1559Params(uint32 denominator, uint32 elasticity)',
  'function setOperatorFeeScalars(uint32 scalar, uint64 constant_)',
  'function setMinBaseFee(uint64 minBaseFee)',
  'function setDAFootprintGasScalar(uint16 scalar)',
  'struct Withdrawal { uint256 nonce; address sender; address target; uint256 value; uint256 gasLimit; bytes data; }',
  'struct OutputProof { bytes32 version; bytes32 stateRoot; bytes32 messagePasserStorageRoot; bytes32 latestBlockhash; }',
  'function proveWithdrawalTransaction(Withdrawal withdrawal, uint256 gameIndex, OutputProof outputRootProof, bytes[] withdrawalProof)',
  'function finalizeWithdrawalTransaction(Withdrawal withdrawal)',
])
const ON_L2 = parseAbi([
  'function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable',
  'function bridgeETH(uint32 minGasLimit, bytes extraData) payable',
])

const ETHER = 10n ** 18n
const strangers: readonly Address[] = ['71', '72'].map((byte): Address => `0x${byte.repeat(20)}`)

export interface PairGenerator {
  readonly random: Random
  readonly seed: number
  readonly session: PairSession
  /** The development accounts, which both layers have. */
  readonly accounts: readonly Address[]
  /** Transactions that have initiated withdrawals, and whether a proof of each was sent. */
  readonly withdrawals: { readonly chain: number; readonly hash: Hash; isProved: boolean }[]
  readonly snapshots: number[]
  readonly dumps: { readonly name: number; readonly layer: Layer }[]
  lastName: number
}

export async function createPairGenerator(
  random: Random,
  seed: number,
  session: PairSession,
): Promise<PairGenerator> {
  const accounts = await session.rollup.l1.request('eth_accounts')
  return {
    ...{ random, seed, session, accounts: accounts.slice(0, 4) },
    ...{ withdrawals: [], snapshots: [], dumps: [], lastName: 0 },
  }
}

interface Sending {
  readonly from: Address
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Hex
  readonly gas: number
}

function send(layer: Layer, { from, to, value = 0n, data = '0x', gas }: Sending): PairCommand {
  const recipient = to === undefined ? {} : { to }
  const request = { from, ...recipient, value: toQuantity(value), input: data, gas: toQuantity(gas) }
  return { call: 'request', layer, method: 'eth_sendTransaction', params: [request] }
}

function addressOn1({ session: { rollup } }: PairGenerator, chain: number, name: string): Address {
  const { contracts } = rollup.chains[chain]!
  const named = contracts as unknown as Record<string, Record<number, { readonly address: Address }>>
  return named[name]![rollup.l1.settings.chainId]!.address
}

function anyChain({ random, session }: PairGenerator): number {
  return random.below(session.rollup.chains.length)
}

function deposit(generator: PairGenerator): PairCommand {
  const { random, accounts } = generator
  const chain = anyChain(generator)
  const from = random.pick(accounts)
  const value = random.pick([0n, 1n, ETHER, 5n * ETHER])
  const to = random.pick([...strangers, ...accounts, OP_PREDEPLOYS.L1Block])
  const at = (name: string): Address => addressOn1(generator, chain, name)
  const gas = 900_000
  switch (random.below(8)) {
    case 0:
      return send('l1', { from, to: at('portal'), value, gas })
    case 1: {
      const data = encodeFunctionData({ abi: ON_L1, functionName: 'bridgeETH', args: [200_000, '0x'] })
      return send('l1', { from, to: at('l1StandardBridge'), value, data, gas })
    }
    case 2: {
      const args = [to, '0xc0ffee', 100_000] as const
      const data = encodeFunctionData({ abi: ON_L1, functionName: 'sendMessage', args })
      return send('l1', { from, to: at('l1CrossDomainMessenger'), value, data, gas })
    }
    default: {
      const isCreation = random.oneIn(4)
      const input: Hex = isCreation ? Counter.bytecode : random.pick(['0x', '0x1234'])
      const gasLimit = random.pick([21_000n, 21_080n, 100_000n, 400_000n])
      // More than is minted, and it fails unless the sender has it on the layer 2.
      const moved = random.pick([value, 0n, 20_000n * ETHER])
      const nobody: Address = `0x${'00'.repeat(20)}`
      const args = [isCreation ? nobody : to, moved, gasLimit, isCreation, input] as const
      const data = encodeFunctionData({ abi: ON_L1, functionName: 'depositTransaction', args })
      return send('l1', { from, to: at('portal'), value, data, gas })
    }
  }
}

/** A change of the system configuration; its owner is the first account. */
function configure(generator: PairGenerator): PairCommand {
  const { random, accounts } = generator
  const from = random.oneIn(8) ? accounts[1]! : accounts[0]!
  const abi = ON_L1
  const data = random.pick<() => Hex>([
    () =>
      encodeFunctionData({ abi, functionName: 'setGasConfigEcotone', args: [random.below(9999), 810_949] }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'setGasLimit',
        args: [random.pick([30_000_000n, 60_000_000n])],
      }),
    () => encodeFunctionData({ abi, functionName: 'setEIP1559Params', args: [random.pick([2, 250]), 6] }),
    () => encodeFunctionData({ abi, functionName: 'setOperatorFeeScalars', args: [random.below(3), 7n] }),
    () => encodeFunctionData({ abi, functionName: 'setMinBaseFee', args: [random.pick([0n, 5_000_000n])] }),
    () => encodeFunctionData({ abi, functionName: 'setDAFootprintGasScalar', args: [random.pick([0, 500])] }),
  ])()
  const to = addressOn1(generator, anyChain(generator), 'systemConfig')
  return send('l1', { from, to, data, gas: 200_000 })
}

function sendOnL2(generator: PairGenerator): PairCommand {
  const { random, accounts } = generator
  const chain = anyChain(generator)
  const from = random.pick(accounts)
  const value = random.pick([0n, 1n, ETHER, 30_000n * ETHER])
  const isCreation = random.oneIn(6)
  const gas = isCreation ? 600_000 : random.pick([21_000, 60_000])
  if (isCreation) return send(chain, { from, data: Counter.bytecode, gas })
  return send(chain, { from, to: random.pick([...strangers, ...accounts]), value, gas })
}

function withdraw(generator: PairGenerator): PairCommand {
  const { random, accounts } = generator
  const chain = anyChain(generator)
  const value = random.pick([0n, 1n, ETHER / 2n])
  const from = random.pick(accounts)
  if (random.oneIn(4)) {
    const data = encodeFunctionData({ abi: ON_L2, functionName: 'bridgeETH', args: [100_000, '0x'] })
    return send(chain, { from, to: OP_PREDEPLOYS.L2StandardBridge, value, data, gas: 500_000 })
  }
  const args = [random.pick([...strangers, ...accounts]), 100_000n, '0x'] as const
  const data = encodeFunctionData({ abi: ON_L2, functionName: 'initiateWithdrawal', args })
  return send(chain, { from, to: OP_PREDEPLOYS.L2ToL1MessagePasser, value, data, gas: 300_000 })
}

/** Proves a withdrawal by the first game that has it, or finalises it, early or not. */
async function proveOrFinalise(generator: PairGenerator): Promise<PairCommand | undefined> {
  const { random, session, withdrawals, accounts } = generator
  if (withdrawals.length === 0) return undefined
  const chosen = random.pick(withdrawals)
  const { chain, hash } = chosen
  const { public1, public2, chain2 } = clientsOf(session.rollup, chain)
  const receipt = await public2.getTransactionReceipt({ hash }).catch(() => undefined)
  if (receipt === undefined) return undefined
  const [withdrawal] = getWithdrawals(receipt)
  if (withdrawal === undefined) {
    withdrawals.splice(withdrawals.indexOf(chosen), 1)
    return undefined
  }
  const from = accounts[0]!
  const to = addressOn1(generator, chain, 'portal')
  if (random.oneIn(5) !== chosen.isProved) {
    const args = [withdrawal] as const
    const data = encodeFunctionData({ abi: ON_L1, functionName: 'finalizeWithdrawalTransaction', args })
    return send('l1', { from, to, data, gas: 1_000_000 })
  }
  const games = await getGames(public1, {
    targetChain: chain2,
    l2BlockNumber: receipt.blockNumber,
  } as never)
  const game = games.at(-1)
  const head = Number(await session.rollup.chains[chain]!.l2.request('eth_blockNumber'))
  if (game === undefined || Number(game.l2BlockNumber) > head) return undefined
  const proof = await public2.buildProveWithdrawal({ game, withdrawal, account: from } as never)
  chosen.isProved = true
  const { outputRootProof, withdrawalProof } = proof as unknown as {
    readonly outputRootProof: Record<
      'version' | 'stateRoot' | 'messagePasserStorageRoot' | 'latestBlockhash',
      Hash
    >
    readonly withdrawalProof: readonly Hex[]
  }
  const args = [withdrawal, game.index, outputRootProof, withdrawalProof] as const
  const data = encodeFunctionData({ abi: ON_L1, functionName: 'proveWithdrawalTransaction', args })
  return send('l1', { from, to, data, gas: 2_000_000 })
}

function moveTime({ random, seed, session }: PairGenerator): PairCommand {
  const ms = random.pick([0, 1, 199, 200, 2000, 6000, 12_000, 12_000, 24_000, 36_500, 60_000])
  const on = random.pick([
    {},
    {},
    { layer: 'l1' as const },
    { layer: random.below(session.rollup.chains.length) },
  ])
  if (random.oneIn(6)) return { call: 'next', ...on }
  if (!isByProtocol(seed) && random.oneIn(6)) {
    return { call: 'jump', ms: random.pick([500, 3000, 40_000, 3_600_000]), ...on }
  }
  return { call: 'advance', ms, ...on }
}

function turnRole(generator: PairGenerator): PairCommand {
  const { random } = generator
  const [role, name] = random.pick([
    ['batcher', 'withhold'],
    ['batcher', 'resume'],
    ['batcher', 'resume'],
    ['batcher', 'submit'],
    ['batcher', 'submit'],
    ['proposer', 'withhold'],
    ['proposer', 'resume'],
    ['proposer', 'resume'],
    ['proposer', 'submit'],
    ['sequencer', 'stop'],
    ['sequencer', 'start'],
    ['sequencer', 'start'],
    ['sequencer', 'start'],
  ] as const)
  return { call: 'role', chain: anyChain(generator), role, name }
}

function reorganise({ random }: PairGenerator): PairCommand {
  const depth = random.pick([1, 1, 2, 3, 5])
  return random.pick<PairCommand>([
    { call: 'control', layer: 'l1', name: 'reorg', args: [{ depth }] },
    { call: 'control', layer: 'l1', name: 'reorg', args: [{ depth, repool: false }] },
    { call: 'control', layer: 'l1', name: 'reorg', args: [{ depth, blocks: [[], [], []] }] },
    { call: 'control', layer: 'l1', name: 'rollback', args: [depth] },
    { call: 'request', layer: 'l1', method: 'anvil_reorg', params: [depth, []] },
  ])
}

function dumpOrLoad(generator: PairGenerator): PairCommand {
  const { random, dumps } = generator
  if (dumps.length > 0 && random.oneIn(2)) return { call: 'load', ...random.pick(dumps) }
  const dump = { name: ++generator.lastName, layer: random.pick<Layer>(['l1', anyChain(generator)]) }
  dumps.unshift(dump)
  dumps.length = Math.min(dumps.length, 2)
  return { call: 'dump', ...dump }
}

function comeAndGo(generator: PairGenerator): PairCommand {
  const { random, snapshots, seed } = generator
  if (!isByProtocol(seed) && random.oneIn(4)) return dumpOrLoad(generator)
  const on = random.pick([{}, { layer: 'l1' as const }, { layer: 0 }])
  if (snapshots.length === 0 || random.oneIn(2)) {
    const name = ++generator.lastName
    snapshots.unshift(name)
    snapshots.length = Math.min(snapshots.length, 3)
    return { call: 'snapshot', name, ...on }
  }
  return { call: 'revert', name: random.pick(snapshots), ...on }
}

/** Controls of one layer. */
function turnLayer(generator: PairGenerator): PairCommand {
  const { random, seed, session } = generator
  const chain = anyChain(generator)
  const layer: Layer = random.oneIn(2) ? 'l1' : chain
  const both: readonly PairCommand[] = [
    { call: 'control', layer: 'l1', name: 'mine', args: [1] },
    { call: 'control', layer: 'l1', name: 'seal', args: [] },
    { call: 'control', layer: chain, name: 'deposit', args: [{ from: strangers[0] }] },
    { call: 'control', layer, name: 'mine', args: [0] },
  ]
  if (isByProtocol(seed)) return random.pick(both)
  const later = Math.ceil(session.rollup.now / 1000) + random.pick([1, 5, 100])
  return random.pick<PairCommand>([
    ...both,
    { call: 'control', layer: chain, name: 'seal', args: [] },
    {
      call: 'control',
      layer: 'l1',
      name: 'setNextBlockBaseFee',
      args: [toQuantity(random.pick([7n, 10n ** 10n]))],
    },
    { call: 'control', layer, name: 'increaseTime', args: [{ seconds: random.pick([1, 7, 3000]) }] },
    { call: 'control', layer, name: 'mine', args: [3] },
    { call: 'control', layer, name: 'setNextBlockTimestamp', args: [later] },
    { call: 'control', layer, name: 'setTime', args: [later] },
    { call: 'control', layer: chain, name: 'reorg', args: [{ depth: random.pick([1, 2, 4]) }] },
    { call: 'control', layer: chain, name: 'rollback', args: [random.pick([1, 3])] },
    {
      call: 'control',
      layer,
      name: 'setProduction',
      args: [random.pick(['interval', 'interval', 'auto', 'manual'])],
    },
    { call: 'request', layer, method: 'evm_mine', params: [] },
    { call: 'request', layer, method: 'hardhat_reset', params: [] },
  ])
}

/** Remembers a withdrawal whose transaction was accepted. */
export function noteWithdrawal({ withdrawals }: PairGenerator, chain: number, to: Address, hash: Hash): void {
  if (to !== OP_PREDEPLOYS.L2ToL1MessagePasser && to !== OP_PREDEPLOYS.L2StandardBridge) return
  withdrawals.unshift({ chain, hash, isProved: false })
  withdrawals.length = Math.min(withdrawals.length, 3)
}

export async function nextPairCommand(generator: PairGenerator): Promise<PairCommand> {
  const { random } = generator
  const chance = random.below(100)
  if (chance < 32) return moveTime(generator)
  if (chance < 44) return sendOnL2(generator)
  if (chance < 56) return deposit(generator)
  if (chance < 63) return withdraw(generator)
  if (chance < 80) return (await proveOrFinalise(generator)) ?? { call: 'advance', ms: 24_000 }
  if (chance < 84) return reorganise(generator)
  if (chance < 89) return turnRole(generator)
  if (chance < 94) return comeAndGo(generator)
  if (chance < 96) return configure(generator)
  return turnLayer(generator)
}
