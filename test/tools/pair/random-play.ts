// Random commands on a pair, and what holds after each: origins, deposits, time, and the state of a second derivation.
import { type Hash, type Hex, parseAbi, parseEther, parseEventLogs } from 'viem'
import { getL2TransactionHashes } from 'viem/op-stack'
import { expect } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import type { Rollup } from '../../../src/tools/pair/rollup.ts'
import { blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'

/** A generator with a seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Clients = ReturnType<typeof clientsOf>
type Command = (rollup: Rollup, clients: Clients, random: (below: number) => number) => Promise<unknown>

const COMMANDS: Readonly<Record<string, Command>> = {
  deposit: async (_rollup, { wallet1, chain2 }, random) =>
    wallet1.depositTransaction({
      request: { gas: 100_000n, mint: parseEther('1') + BigInt(random(1000)), to: TO },
      targetChain: chain2,
      gas: 400_000n,
    } as never),
  transfer: (_rollup, { wallet2 }, random) =>
    wallet2.sendTransaction({ to: TO, value: BigInt(random(1000)), gas: 21_000n }),
  step: (rollup) => rollup.next(),
  seconds: (rollup, _clients, random) => rollup.advance(random(30) * 1000),
  minutes: (rollup, _clients, random) => rollup.l2.advance(random(3) * 60_000),
  jump: (rollup, _clients, random) => rollup.jump(random(1500) * 1000),
  mineL1: (rollup, _clients, random) => rollup.l1.mine(1 + random(3)),
  mineL2: (rollup, _clients, random) => rollup.l2.mine(1 + random(3)),
  later: (rollup, _clients, random) => rollup.l2.increaseTime({ seconds: random(600) }),
  reorg: async ({ l1 }, _clients, random) => {
    const most = await numberOf(l1, 'latest')
    if (most > 0) await l1.reorg({ depth: 1 + random(Math.min(most, 4)), repool: random(2) === 0 })
  },
  withhold: ({ batcher }) => batcher.withhold(),
  resume: ({ batcher }) => batcher.resume(),
  submit: ({ batcher }) => batcher.submit(),
  stop: ({ sequencer }) => sequencer.stop(),
  start: ({ sequencer }) => sequencer.start(),
  back: async (rollup, _clients, random) => {
    const before = rollup.snapshot()
    await rollup.advance(random(30) * 1000)
    await rollup.revert(before)
  },
}

interface Attributes {
  readonly number: number
  readonly timestamp: number
  readonly hash: Hash
  readonly sequenceNumber: number
}

/** What the first transaction of a block says: isthmus and jovian have the same places. */
function attributesOf(input: Hex): Attributes {
  const bytes = (from: number, to: number): Hex => `0x${input.slice(2 + 2 * from, 2 + 2 * to)}`
  return {
    sequenceNumber: Number(bytes(12, 20)),
    timestamp: Number(bytes(20, 28)),
    number: Number(bytes(28, 36)),
    hash: bytes(100, 132),
  }
}

const portalAbi = parseAbi([
  'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
])

/** The hashes of the deposits that the logs of an L1 block stand for. */
async function depositsOf({ public1, chain2 }: Clients, number: number): Promise<readonly Hash[]> {
  const address = chain2.contracts.portal[900]!.address
  const logs = await public1.getLogs({ address, fromBlock: BigInt(number), toBlock: BigInt(number) })
  const deposits = parseEventLogs({ abi: portalAbi, logs })
  return getL2TransactionHashes({ logs: deposits } as never)
}

async function checkHeads({ l1, l2 }: Rollup): Promise<void> {
  expect(l1.now).toBe(l2.now)
  const [head, safe, finalized] = [
    await numberOf(l2, 'latest'),
    await numberOf(l2, 'safe'),
    await numberOf(l2, 'finalized'),
  ]
  expect(safe).toBeLessThanOrEqual(head)
  expect(finalized).toBeLessThanOrEqual(safe)
}

export async function checkBlocks({ l1, l2 }: Rollup, clients: Clients): Promise<void> {
  const head = await numberOf(l2, 'latest')
  let origin: Attributes | undefined
  let mints = 0n
  for (let number = 1; number <= head; number++) {
    const block = await blockOf(l2, number)
    const [first, ...others] = block.transactions as unknown as {
      type: string
      hash: Hash
      input: Hex
      mint: Hex
    }[]
    const next = attributesOf(first!.input)
    const isNew = next.number !== (origin?.number ?? 0)
    expect(next.number - (origin?.number ?? 0)).toBe(isNew ? 1 : 0)
    if (isNew) expect(next.sequenceNumber).toBe(0)
    else expect(next.sequenceNumber).toBe((origin?.sequenceNumber ?? 0) + 1)
    expect(next.timestamp).toBeLessThanOrEqual(Number(block.timestamp))
    expect((await blockOf(l1, next.number)).hash).toBe(next.hash)
    const deposits = others.filter(({ type }) => type === '0x7e')
    expect(deposits.map(({ hash }) => hash)).toEqual(isNew ? await depositsOf(clients, next.number) : [])
    mints = deposits.reduce((sum, { mint }) => sum + BigInt(mint), mints)
    origin = next
  }
  const portal = clients.chain2.contracts.portal[900]!.address
  const seen = BigInt(origin?.number ?? 0)
  // Ten accounts begin with 10,000 ether each.
  const held = await clients.public1.getBalance({ address: portal, blockNumber: seen })
  expect(held).toBe(parseEther('100000') + mints)
}

/** Plays random commands, and checks what holds after them; throws with the commands if it does not. */
export async function play(seed: number, count: number): Promise<Rollup> {
  const rollup = await createRollup({ sequencingWindow: 12, batcher: { intervalS: 24 } })
  const clients = clientsOf(rollup)
  const random = randomFrom(seed)
  const names = Object.keys(COMMANDS)
  const played: string[] = []
  for (let step = 0; step < count; step++) {
    const name = names[random(names.length)] as string
    played.push(name)
    try {
      await (COMMANDS[name] as Command)(rollup, clients, random)
      await checkHeads(rollup)
      if (step % 8 === 7) await checkBlocks(rollup, clients)
    } catch (error) {
      throw new Error(`seed ${seed}, after ${played.join(', ')}`, { cause: error })
    }
  }
  return rollup
}
