// A layer 1 and layers 2 on it that are forked at blocks which belong together.

import type { SealedBlock } from '../../core/chain/block/block.ts'
import type { Emulator } from '../../core/emulator/api.ts'
import { refuseOption } from '../../core/emulator/checks.ts'
import { type EmulatorOptions, resolveOptions } from '../../core/emulator/options/options.ts'
import { answerTo, safeQuantityIn } from '../../core/fork/answers.ts'
import type { Fork } from '../../core/fork/fork.ts'
import { blockRequest, checkedForkHeader, lookAhead } from '../../core/fork/source.ts'
import { scheduleIn } from '../../core/node/node-state.ts'
import type { L1Block, RollupState } from '../../core/node/rollup/origins.ts'
import { failure } from '../../core/primitives/errors.ts'
import { type Address, isHexBytes, ZERO_HASH } from '../../core/primitives/hex.ts'
import { completeHeader } from '../../core/rollup/header.ts'
import { DEFAULT_STACK, STACKS } from '../../core/rollup/stacks.ts'
import { withMissesLoaded } from '../../core/state/overlay-map.ts'
import { createEmulator, createLayer2 } from '../solidity/create-emulator.ts'
import { type PlacedLog, readL1Block } from './derivation/l1-block.ts'
import { type FoundOnL1, findOnL1 } from './find-on-l1.ts'
import * as newLayers from './found-layers.ts'
import { knownSystemConfig } from './l1-addresses.ts'
import type { Layer1Options, Layer2Options, ResolvedPairOptions } from './options.ts'
import type { Sender } from './pair-state.ts'
import { ecotoneOn } from './relay.ts'

type ForkedOptions = Omit<Layer2Options, 'rollup'> & Pick<EmulatorOptions, 'rollup'>

interface PlannedLayer {
  readonly layer: Layer1Options & ForkedOptions
  /** The upstream's. */
  readonly chainId: number
  /** True if it is certainly a rollup. */
  readonly isRollup: boolean
  /** The name of its option. */
  readonly path: string
}

/** The options of a layer 2 with its stack, which may be left out. */
function withStack({ rollup, ...layer }: Layer2Options): ForkedOptions {
  return rollup === undefined
    ? layer
    : { ...layer, rollup: { ...rollup, stack: rollup.stack ?? DEFAULT_STACK } }
}

/** The block that the options of a layer name, before it is forked. */
function lookAheadOf({ systemConfigAddress: _, ...layer }: Layer1Options & ForkedOptions, path: string) {
  const { fork, signal } = resolveOptions(layer, path)
  return lookAhead({ ...(fork as NonNullable<typeof fork>), signal })
}

/** The chains that the layers fork, and the layers with the blocks that nobody named: the last up to the others' time. */
async function planTogether({ l1, l2s }: ResolvedPairOptions) {
  const layers: (Layer1Options & ForkedOptions)[] = [l1, ...l2s.map(withStack)]
  const paths = layers.map((_, index) => (index === 0 ? 'l1' : newLayers.pathOf(l2s, index - 1)))
  const seen = await Promise.all(layers.map((layer, index) => lookAheadOf(layer, paths[index] as string)))
  const isNamed = layers.map(({ fork }) => fork?.block !== undefined)
  const times = seen.filter((_, index) => isNamed[index] || !isNamed.includes(true))
  const timestamp = Math.min(...times.map(({ header }) => header.timestamp))
  const { networks } = STACKS[DEFAULT_STACK]
  return layers.map((layer, index): PlannedLayer => {
    const { chainId, header } = seen[index] as (typeof seen)[number]
    return {
      layer: { ...layer, fork: { ...layer.fork, block: layer.fork?.block ?? { timestamp } } },
      chainId,
      isRollup: networks.l1ChainIdOf(chainId) !== undefined || networks.isShownBy(header),
      path: paths[index] as string,
    }
  })
}

/** Refuses a rollup as layer 1, and layers that fork the same chain or would have the same chain id. */
function checkChains(layers: readonly PlannedLayer[]): void {
  const [l1] = layers
  if (l1?.isRollup) refuseOption('l1.fork', 'a layer 1', `chain ${l1.chainId}, which is a rollup`)
  for (const [index, { layer, chainId, path }] of layers.entries()) {
    const before = layers.slice(0, index)
    if (before.some((other) => other.chainId === chainId))
      refuseOption(`${path}.fork`, 'another chain than other layers fork', `chain ${chainId}`)
    const id = layer.chainId ?? chainId
    if (before.some((other) => (other.layer.chainId ?? other.chainId) === id))
      refuseOption(`${path}.chainId`, 'one that no other layer has', id)
  }
}

function logsBetween({ history }: Fork, addresses: readonly Address[], from: number, to: number) {
  const logs = new Map<number, PlacedLog[]>()
  for (const item of history.logs({ addresses, topics: [] }, from, to)) {
    const log = answerTo(item, 'eth_getLogs')
    const topics = log.field('topics').array()
    const read = {
      topics: topics.map((topic) => log.at('', topic).hex(32)),
      address: log.field('address').hex(20),
      data: log.field('data').bytes(),
    }
    const number = safeQuantityIn(log.field('blockNumber'))
    const index = safeQuantityIn(log.field('logIndex'))
    logs.set(number, [...(logs.get(number) ?? []), [read, index]])
  }
  return logs
}

/** The L1 blocks from an origin to the forked one, with their deposits and updates; the origin itself as it is known. */
async function l1BlocksFrom(
  l1: Emulator,
  origin: L1Block,
  { addresses }: FoundOnL1,
  isEcotoneAt: (timestamp: number) => boolean,
): Promise<L1Block[]> {
  const { chain } = newLayers.nodeOf(l1).state
  const [fork, { rules }] = [chain.fork as Fork, chain.head]
  const last = fork.header.number
  const blockOf = async (number: number): Promise<Pick<SealedBlock, 'header' | 'hash'>> => {
    const request = blockRequest(number)
    const header = checkedForkHeader(number, await withMissesLoaded(() => fork.answer(...request)))
    return { header: completeHeader(rules, header), hash: header.hash }
  }
  const numbers = Array.from({ length: last - origin.number + 1 }, (_, index) => origin.number + index)
  const blocks = await Promise.all(numbers.map(blockOf))
  const { optimismPortal, systemConfig } = addresses
  const logs =
    origin.number === last
      ? new Map<number, PlacedLog[]>()
      : await withMissesLoaded(() =>
          logsBetween(fork, [optimismPortal, systemConfig], origin.number + 1, last),
        )
  const read: L1Block[] = []
  for (const block of blocks) {
    const { number, prevRandao } = block.header
    const before = read.at(-1)
    const own = logs.get(number) ?? []
    read.push(
      before === undefined
        ? { ...origin, hash: block.hash, prevRandao }
        : readL1Block(block, own, before.system, addresses, isEcotoneAt),
    )
  }
  return read
}

/** An account of the rollup, with its key if it is one of ours; it gets what it needs for fees and bonds. */
async function senderAt(l1: Emulator, own: Sender, address: Address): Promise<Sender> {
  const balance = BigInt(await l1.request({ method: 'eth_getBalance', params: [address, 'latest'] }))
  if (balance < newLayers.SENDER_BALANCE / 1000n) await l1.setBalance(address, newLayers.SENDER_BALANCE)
  return address === own.address ? own : { address }
}

async function findFor(l1: Emulator, { layer, chainId, path }: PlannedLayer): Promise<FoundOnL1> {
  const expectedId = STACKS[DEFAULT_STACK].networks.l1ChainIdOf(chainId)
  const l1ChainId = l1.fork?.chainId
  if (expectedId !== undefined && l1ChainId !== expectedId)
    refuseOption('l1.fork', `chain ${expectedId}, the layer 1 of chain ${chainId}`, l1ChainId)
  const option = `${path}.systemConfigAddress`
  const address = layer.systemConfigAddress ?? knownSystemConfig(chainId)
  if (!isHexBytes(address, 20)) {
    const why = address === undefined ? `, as chain ${chainId} is not known` : ', of 20 bytes'
    return refuseOption(option, `the address of SystemConfig on the layer 1${why}`, address)
  }
  const found = await findOnL1(l1, address, chainId)
  return typeof found === 'string' ? refuseOption(option, found, address) : found
}

/** Refuses a block of a layer 2 whose L1 origin is not on the forked layer 1. */
async function checkOrigin(l1: Emulator, l2: Emulator, origin: L1Block, path: string, window: number) {
  const block = `block ${l2.fork?.blockNumber}`
  if (origin.hash === ZERO_HASH)
    refuseOption(`${path}.fork.block`, 'one above genesis, which does not tell its L1 origin', block)
  const { fork } = newLayers.nodeOf(l1).state.chain
  const { number: last } = (fork as Fork).header
  const hash =
    origin.number > last ? undefined : await withMissesLoaded(() => (fork as Fork).blockHashAt(origin.number))
  if (hash === origin.hash && last - origin.number <= window) return
  const { number, hash: originHash } = origin
  const reason = `expected a block whose L1 origin is one of the ${window} up to block ${last} of l1.fork, got ${block} with the origin ${number}, ${originHash}`
  throw failure('invalidOption', { option: `${path}.fork.block`, reason })
}

/** Refuses the place within a block that a transaction's hash names: the layers begin with whole blocks. */
function refusePlaceWithin(layer: Emulator, path: string): void {
  if (newLayers.nodeOf(layer).state.chain.fork?.within !== undefined)
    refuseOption(`${path}.fork.block`, 'a block', 'the hash of a transaction')
}

async function forkLayer2(l1: Emulator, plan: PlannedLayer, options: ResolvedPairOptions) {
  const { layer, chainId, path } = plan
  const { sequencingWindow, timeout: channelTimeout } = options.rules
  const { systemConfigAddress: _, ...given } = layer
  const found = await findFor(l1, plan)
  const { addresses, batchInbox, game } = found
  const { optimismPortal: portal, systemConfig } = addresses
  const contracts = { portal, systemConfig, batchInbox, sequencingWindow, channelTimeout }
  const l2 = await createLayer2(
    {
      ...given,
      fork: { roots: 'proven', ...layer.fork },
      safeLag: newLayers.NEVER,
      finalizedLag: newLayers.NEVER,
    },
    { chainId: l1.settings.chainId, contracts },
  )
  refusePlaceWithin(l2, path)
  const { state } = newLayers.nodeOf(l2)
  if (state.rollup === undefined) {
    const expected = `a chain of the OP stack, or rollup: { stack: 'op' } for one whose header does not show it`
    refuseOption(`${path}.fork`, expected, `chain ${chainId}`)
  }
  const { l1Genesis: origin } = state.rollup as RollupState
  await checkOrigin(l1, l2, origin, path, sequencingWindow)
  const l1Blocks = await l1BlocksFrom(l1, origin, found, ecotoneOn(scheduleIn(state)))
  const { batcherHash } = (l1Blocks.at(-1) as L1Block).system
  const [batcher, proposer] = [
    await newLayers.roleSender('batcher', chainId),
    await newLayers.roleSender('proposer', chainId),
  ]
  return {
    l2,
    addresses,
    batchInbox,
    batcher: await senderAt(l1, batcher, `0x${batcherHash.slice(-40)}`),
    proposer: { ...game, sender: await senderAt(l1, proposer, game.proposer ?? proposer.address) },
    l1Blocks,
  }
}

export async function forkLayers(options: ResolvedPairOptions) {
  const layers = await planTogether(options)
  checkChains(layers)
  const [first, ...others] = layers
  const { blockTimeMs: partialBlockTimeMs } = options.l1
  const l1 = await createEmulator({ partialBlockTimeMs, blobTransactions: 'accepted', ...first?.layer })
  refusePlaceWithin(l1, 'l1')
  const chains: newLayers.LooseLayer2[] = []
  for (const plan of others) chains.push(await forkLayer2(l1, plan, options))
  return { l1, chains }
}
