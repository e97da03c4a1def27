// Applications with a planted bug that only shows if the chain drops, replaces, delays, cuts or stops; each with a
// repaired twin that differs in the one place.

import * as fc from 'fast-check'
import type { Emulator } from 'tickchain'
import type { AdversaryKind, ExploreOptions } from 'tickchain/explore'
import type { Address, Hash, Hex } from '../../../../src/core/primitives/hex.ts'

type AnyOptions = ExploreOptions<Emulator, never, Record<string, never>>

export interface Planted {
  readonly name: string
  readonly needs: AdversaryKind
  /** The invariant or the action that the bug breaks. */
  readonly breaks: string
  readonly options: (variant: 'planted' | 'repaired') => AnyOptions
}

const shop: Address = `0x${'5a'.repeat(20)}`
const PRICE = 1000n
const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** Logs its call data word as a topic. */
const LOGGER = '0x5f355f5fa100'
/** Keeps the first caller. */
const FIRST_COME = '0x5f5415600757005b335f5500'
/** Stops before the time in its call data, and reverts after it. */
const DEADLINE = '0x5f354211600857005b5f5ffd'
const contract: Address = `0x${'c0'.repeat(20)}`

/** The chain that they all run on. */
export async function setUp(chain: Emulator): Promise<void> {
  for (const [index, code] of [LOGGER, FIRST_COME, DEADLINE].entries()) {
    await chain.setCode(contractAt(index), code as Hex)
  }
}

function contractAt(index: number): Address {
  return `${contract.slice(0, -1)}${index}` as Address
}

const [logger, firstCome, deadline] = [0, 1, 2].map(contractAt) as [Address, Address, Address]

async function senderOf(chain: Emulator, who: number): Promise<Address> {
  return (await chain.listAccounts())[who] as Address
}

async function send(chain: Emulator, who: number, fields: object): Promise<Hash> {
  const from = await senderOf(chain, who)
  return chain.request('eth_sendTransaction', [{ from, gas: '0x186a0', ...fields }]) as Promise<Hash>
}

const pendingBalance = async (chain: Emulator, of: Address): Promise<bigint> =>
  BigInt(await chain.request('eth_getBalance', [of, 'pending']))

/** The transactions of the chain, sealed and pre-confirmed, oldest first. */
async function included(chain: Emulator): Promise<Hash[]> {
  const head = Number(await chain.request('eth_blockNumber'))
  const hashes: Hash[] = []
  for (const number of [...Array(head + 1).keys()].map(quantity).concat('pending' as Hex)) {
    const block = await chain.request('eth_getBlockByNumber', [number, false])
    hashes.push(...((block?.transactions ?? []) as readonly Hash[]))
  }
  return hashes
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${actual}, expected ${expected}`)
}

const who = fc.record({ who: fc.nat(2) })
const nothing = fc.record({})
const pay = ({ chain }: { chain: Emulator }, { who }: { who: number }) =>
  send(chain, who, { to: shop, value: quantity(PRICE) })

/** Erases the types of an application, which differ. */
function asAny<World, Values extends Record<string, unknown>>(
  options: ExploreOptions<Emulator, World, Values>,
): AnyOptions {
  return options as never
}

export const PLANTED: readonly Planted[] = [
  {
    name: 'a balance counts a payment again that is pre-confirmed again',
    needs: 'drops',
    breaks: 'balance',
    options: (variant) =>
      asAny({
        adversary: ['drops'],
        actions: { pay: who },
        world(chain) {
          const incoming = new Map<Hash, bigint>()
          const app = { chain, incoming, extra: 0n }
          chain.on('partialBlock', ({ transactionHashes }) => {
            for (const hash of transactionHashes) {
              if (variant === 'repaired') incoming.set(hash, PRICE)
              else app.extra += PRICE
            }
          })
          chain.on('unincludedTransaction', ({ transactionHash }) => {
            incoming.delete(transactionHash)
          })
          return app
        },
        run: { pay: (app, values) => pay(app, values) },
        invariants: {
          async balance({ chain, incoming, extra }) {
            const shown = [...incoming.values()].reduce((sum, value) => sum + value, extra)
            expectEqual(shown, await pendingBalance(chain, shop))
          },
        },
      }),
  },
  {
    name: 'a shop ships what was only pre-confirmed',
    needs: 'drops',
    breaks: 'shipped is paid',
    options: (variant) =>
      asAny({
        adversary: ['drops'],
        actions: { pay: who },
        world(chain) {
          const app = { chain, shipped: 0n }
          const ship = ({ transactionHashes }: { transactionHashes: readonly Hash[] }): void => {
            app.shipped += BigInt(transactionHashes.length)
          }
          if (variant === 'repaired') chain.on('sealedBlock', ship)
          else chain.on('partialBlock', ship)
          return app
        },
        run: { pay: (app, values) => pay(app, values) },
        invariants: {
          'shipped is paid': async ({ chain, shipped }) =>
            shipped * PRICE <= (await pendingBalance(chain, shop)),
        },
      }),
  },
  {
    name: 'a wallet counts its own nonces, and one that is dropped leaves a gap',
    needs: 'drops',
    breaks: 'the pool runs dry',
    options: (variant) =>
      asAny({
        adversary: ['drops'],
        actions: { pay: nothing },
        world(chain) {
          const app = { chain, nonce: 0, sent: new Map<Hash, number>() }
          const pay = async (nonce: number): Promise<void> => {
            const hash = await send(chain, 0, { to: shop, value: quantity(PRICE), nonce: quantity(nonce) })
            app.sent.set(hash, nonce)
          }
          chain.on('unincludedTransaction', ({ transactionHash, isPooled }) => {
            const nonce = app.sent.get(transactionHash)
            if (variant === 'repaired' && !isPooled && nonce !== undefined) void pay(nonce)
          })
          return Object.assign(app, { pay })
        },
        run: { pay: (world) => world.pay(world.nonce++) },
        invariants: {},
        eventually: {
          async 'the pool runs dry'({ chain }) {
            const { queued, pending } = await chain.request('txpool_status')
            expectEqual(Number(queued) + Number(pending), 0)
          },
        },
      }),
  },
  {
    name: 'a withdrawal is paid again when its block is replaced',
    needs: 'reorgs',
    breaks: 'paid once',
    options: (variant) =>
      asAny({
        adversary: ['reorgs'],
        actions: { withdraw: who },
        world(chain) {
          const paid: Hash[] = []
          chain.on('sealedBlock', ({ transactionHashes }) => {
            for (const hash of transactionHashes) {
              if (variant === 'planted' || !paid.includes(hash)) paid.push(hash)
            }
          })
          return { chain, paid }
        },
        run: { withdraw: (app, values) => pay(app, values) },
        invariants: { 'paid once': ({ paid }) => expectEqual(paid.length, new Set(paid).size) },
      }),
  },
  {
    name: 'an indexer ignores removed logs',
    needs: 'reorgs',
    breaks: 'index',
    options: (variant) =>
      asAny({
        adversary: ['reorgs'],
        actions: { log: who },
        async world(chain) {
          const app = { chain, count: 0 }
          chain.on('message', ({ data }) => {
            const { removed } = (data as { result: { removed: boolean } }).result
            if (!removed) app.count++
            else if (variant === 'repaired') app.count--
          })
          await chain.request('eth_subscribe', ['logs', { address: logger }])
          return app
        },
        run: { log: ({ chain }, { who }) => send(chain, who, { to: logger, data: `0x${'07'.repeat(32)}` }) },
        invariants: {
          async index({ chain, count }) {
            const logs = await chain.request('eth_getLogs', [{ fromBlock: '0x0', address: logger }])
            expectEqual(count, logs.length)
          },
        },
      }),
  },
  {
    name: 'a scanner keeps what it has found in blocks that were replaced',
    needs: 'reorgs',
    breaks: 'found is sealed',
    options: (variant) =>
      asAny({
        adversary: ['reorgs'],
        actions: { pay: who },
        world(chain) {
          const app = { chain, next: 1, found: new Map<Hash, number>() }
          chain.on('orphanedBlocks', ({ blocks }) => {
            app.next = Math.min(app.next, ...blocks.map(({ number }) => number))
            if (variant === 'planted') return
            for (const [hash, number] of app.found) if (number >= app.next) app.found.delete(hash)
          })
          return app
        },
        run: { pay: (app, values) => pay(app, values) },
        invariants: {
          async 'found is sealed'(app) {
            const { chain, found } = app
            const head = Number(await chain.request('eth_blockNumber'))
            for (; app.next <= head; app.next++) {
              const block = await chain.request('eth_getBlockByNumber', [quantity(app.next), false])
              for (const hash of (block?.transactions ?? []) as Hash[]) found.set(hash, app.next)
            }
            for (const [hash, number] of found) {
              const transaction = await chain.request('eth_getTransactionByHash', [hash])
              expectEqual(transaction?.blockNumber, quantity(number))
            }
          },
        },
      }),
  },
  {
    name: 'a receipt is kept for good',
    needs: 'reorgs',
    breaks: 'receipts are true',
    options: (variant) =>
      asAny({
        adversary: ['reorgs'],
        actions: { pay: who },
        world(chain) {
          const blockOf = new Map<Hash, Hash>()
          chain.on('sealedBlock', ({ hash, transactionHashes }) => {
            for (const each of transactionHashes) if (!blockOf.has(each)) blockOf.set(each, hash)
          })
          chain.on('unincludedTransaction', ({ transactionHash }) => {
            if (variant === 'repaired') blockOf.delete(transactionHash)
          })
          return { chain, blockOf }
        },
        run: { pay: (app, values) => pay(app, values) },
        invariants: {
          async 'receipts are true'({ chain, blockOf }) {
            for (const hash of blockOf.values()) {
              if ((await chain.request('eth_getBlockByHash', [hash, false])) === null) throw new Error(hash)
            }
          },
        },
      }),
  },
  {
    name: 'a payment whose answer is lost is sent again as another one',
    needs: 'lateAnswers',
    breaks: 'paid once',
    options: (variant) =>
      asAny({
        adversary: ['lateAnswers'],
        actions: { click: nothing },
        world: (chain) => ({ chain, isPaid: false, nonce: undefined as Hex | undefined }),
        run: {
          async click(world) {
            if (world.isPaid) return
            const { chain } = world
            const from = await senderOf(chain, 0)
            world.nonce ??= await chain.request('eth_getTransactionCount', [from, 'pending'])
            const nonce = variant === 'repaired' ? { nonce: world.nonce } : {}
            const refusal = await send(chain, 0, { to: shop, value: quantity(PRICE), ...nonce }).then(
              () => undefined,
              (error: Error) => error.message,
            )
            if (refusal === undefined || /nonce|known/.test(refusal)) world.isPaid = true
          },
        },
        invariants: { 'paid once': async ({ chain }) => (await pendingBalance(chain, shop)) <= PRICE },
      }),
  },
  {
    name: 'a payment whose answer comes late is made again',
    needs: 'lateAnswers',
    breaks: 'paid once',
    options: (variant) =>
      asAny({
        adversary: ['lateAnswers', 'drops', 'reorgs'],
        actions: { pay: who },
        world: (chain) => ({ chain, asked: 0n }),
        run: {
          async pay(app, values) {
            app.asked++
            const { chain } = app
            const start = chain.now
            const patience = new Promise<boolean>((resolve) => {
              chain.on('sealedBlock', () => chain.now - start >= 3000 && resolve(false))
            })
            const paid = pay(app, values).then(() => true)
            const isAnswered = await (variant === 'repaired' ? paid : Promise.race([paid, patience]))
            if (!isAnswered) await pay(app, values)
          },
        },
        invariants: {
          'paid once': async ({ chain, asked }) => (await pendingBalance(chain, shop)) <= asked * PRICE,
        },
      }),
  },
  {
    name: 'a late answer overwrites a newer one',
    needs: 'lateAnswers',
    breaks: 'never goes back',
    options: (variant) =>
      asAny({
        adversary: ['lateAnswers'],
        actions: { refresh: nothing },
        world: (chain) => ({ chain, shown: 0, highest: 0 }),
        run: {
          async refresh(world) {
            const head = Number(await world.chain.request('eth_blockNumber'))
            if (variant === 'repaired' && head < world.shown) return
            world.shown = head
            world.highest = Math.max(world.highest, head)
          },
        },
        invariants: { 'never goes back': ({ shown, highest }) => expectEqual(shown, highest) },
      }),
  },
  {
    name: 'a fee cap without room waits for ever',
    needs: 'feeSpikes',
    breaks: 'is sealed',
    options: (variant) =>
      asAny({
        adversary: ['feeSpikes'],
        actions: { pay: who },
        world: (chain) => ({ chain }),
        run: {
          async pay({ chain }, { who }) {
            const { baseFeePerGas = '0x0' } = (await chain.request('eth_getBlockByNumber', [
              'pending',
              false,
            ])) as {
              baseFeePerGas?: Hex
            }
            const cap = variant === 'repaired' ? 10n ** 15n : BigInt(baseFeePerGas)
            const fees = { maxFeePerGas: quantity(cap), maxPriorityFeePerGas: '0x0' }
            await send(chain, who, { to: shop, value: quantity(PRICE), gas: '0x5208', ...fees })
          },
        },
        invariants: {},
        eventually: {
          async 'is sealed'({ chain }) {
            expectEqual(Number((await chain.request('txpool_status')).pending), 0)
          },
        },
      }),
  },
  {
    name: 'a payment that waits too long is made again with another nonce',
    needs: 'feeSpikes',
    breaks: 'paid once',
    options: (variant) =>
      asAny({
        adversary: ['feeSpikes'],
        actions: { order: nothing, wait: nothing },
        world: (chain) => ({ chain, sent: undefined as { hash: Hash; nonce: Hex; at: number } | undefined }),
        run: {
          async order(world) {
            const { chain } = world
            if (world.sent !== undefined) return
            const nonce = await chain.request('eth_getTransactionCount', [await senderOf(chain, 0), 'latest'])
            // Enough for the next block, whatever the one before has.
            const fees = { maxFeePerGas: quantity(15n * 10n ** 8n), maxPriorityFeePerGas: '0x0' }
            const hash = await send(chain, 0, { to: shop, value: quantity(PRICE), nonce, ...fees })
            world.sent = { hash, nonce, at: chain.now }
          },
          async wait({ chain, sent }) {
            if (sent === undefined || chain.now - sent.at < 4000) return
            if ((await chain.request('eth_getTransactionReceipt', [sent.hash])) !== null) return
            sent.at = Number.POSITIVE_INFINITY
            const fees = { maxFeePerGas: quantity(10n ** 15n), maxPriorityFeePerGas: quantity(10n ** 9n) }
            const nonce = variant === 'repaired' ? sent.nonce : quantity(BigInt(sent.nonce) + 1n)
            await send(chain, 0, { to: shop, value: quantity(PRICE), nonce, ...fees })
          },
        },
        invariants: { 'paid once': async ({ chain }) => (await pendingBalance(chain, shop)) <= PRICE },
      }),
  },
  {
    name: 'an order is refunded whose payment has got through, though its answer has not',
    needs: 'lateAnswers',
    breaks: 'refunded or paid',
    options: (variant) =>
      asAny({
        adversary: ['lateAnswers'],
        actions: { order: nothing, giveUp: nothing },
        world: (chain) => ({ chain, orderedAt: 0, isAnswered: false, isRefunded: false }),
        run: {
          async order(world) {
            if (world.orderedAt > 0) return
            world.orderedAt = world.chain.now
            await send(world.chain, 0, { to: shop, value: quantity(PRICE) })
            world.isAnswered = true
          },
          async giveUp(world) {
            const { chain, orderedAt, isAnswered } = world
            if (orderedAt === 0 || isAnswered || chain.now - orderedAt < 2000) return
            const from = await senderOf(chain, 0)
            const count = await chain.request('eth_getTransactionCount', [from, 'pending'])
            world.isRefunded ||= variant === 'planted' || count === '0x0'
          },
        },
        invariants: {
          'refunded or paid': async ({ chain, isRefunded }) =>
            !isRefunded || (await pendingBalance(chain, shop)) === 0n,
        },
      }),
  },
  {
    name: 'an order that was included is taken for one that was carried out',
    needs: 'sequencerStops',
    breaks: 'done is done',
    options: (variant) =>
      asAny({
        adversary: ['sequencerStops'],
        actions: { order: who },
        world(chain) {
          const app = { chain, orders: new Set<Hash>(), done: new Set<Hash>() }
          chain.on('sealedBlock', ({ transactionHashes }) => {
            for (const hash of transactionHashes) if (app.orders.has(hash)) app.done.add(hash)
          })
          return app
        },
        run: {
          async order({ chain, orders }, { who }) {
            const until = Math.floor(chain.now / 1000) + 5
            const data = `0x${until.toString(16).padStart(64, '0')}`
            orders.add(await send(chain, who, { to: deadline, data }))
          },
        },
        invariants: {
          async 'done is done'({ chain, done }) {
            for (const hash of done) {
              const status = (await chain.request('eth_getTransactionReceipt', [hash]))?.status
              if (variant === 'repaired' && status !== '0x1') done.delete(hash)
              else expectEqual(status, '0x1')
            }
          },
        },
      }),
  },
  {
    name: 'who sent first is told to have won',
    needs: 'partials',
    breaks: 'told is true',
    options: (variant) =>
      asAny({
        adversary: ['partials'],
        actions: { claim: who },
        world: (chain) => ({ chain, told: undefined as Address | undefined }),
        run: {
          async claim(world, { who }) {
            const { chain } = world
            await send(chain, who, { to: firstCome })
            const owner = await chain.request('eth_getStorageAt', [firstCome, '0x0', 'pending'])
            const known = BigInt(owner) === 0n ? undefined : (`0x${owner.slice(-40)}` as Address)
            world.told ??= variant === 'repaired' ? known : await senderOf(chain, who)
          },
        },
        invariants: {
          async 'told is true'({ chain, told }) {
            const owner = await chain.request('eth_getStorageAt', [firstCome, '0x0', 'pending'])
            if (BigInt(owner) !== 0n && told !== undefined) expectEqual(`0x${owner.slice(-40)}`, told)
          },
        },
      }),
  },
  {
    name: 'two transactions are taken to arrive together',
    needs: 'partials',
    breaks: 'both or none',
    options: (variant) =>
      asAny({
        adversary: ['partials'],
        actions: { swap: nothing },
        world(chain) {
          const app = {
            chain,
            pairs: [] as [Hash, Hash][],
            done: [] as [Hash, Hash][],
            seen: new Set<Hash>(),
          }
          chain.on('partialBlock', ({ transactionHashes }) => {
            for (const hash of transactionHashes) app.seen.add(hash)
            const isDone = ([first, second]: [Hash, Hash]): boolean =>
              app.seen.has(first) && (variant === 'planted' || app.seen.has(second))
            app.done = app.pairs.filter(isDone)
          })
          return app
        },
        run: {
          async swap({ chain, pairs }) {
            const approve = await send(chain, 0, { to: shop, value: '0x1' })
            pairs.push([approve, await send(chain, 0, { to: shop, value: '0x2' })])
          },
        },
        invariants: {
          async 'both or none'({ chain, done }) {
            const all = await included(chain)
            for (const [, second] of done) if (!all.includes(second)) throw new Error(`${second} is missing`)
          },
        },
      }),
  },
]
