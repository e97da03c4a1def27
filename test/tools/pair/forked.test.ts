// A rollup over forked layers: deposits and withdrawals on the upstream pair's own contracts and state.

import { type Hex, parseEther, toFunctionSelector } from 'viem'
import { getL2TransactionHashes, getWithdrawals } from 'viem/op-stack'
import { beforeAll, describe, expect, test } from 'vitest'
import { base, createEmulator } from '../../../src/index.ts'
import { createRollup } from '../../../src/rollup.ts'
import { rollupAddresses } from '../../../src/tools/pair/l1-addresses.ts'
import type { CreateRollupOptions, Layer1Options, Layer2Options } from '../../../src/tools/pair/options.ts'
import type { Rollup } from '../../../src/tools/pair/rollup.ts'
import { wireTo } from '../../core/fork/upstreams.ts'
import { ACCOUNT, blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'
const DAY_MS = 86_400_000

let live: Rollup
let systemConfigAddress: Hex

beforeAll(async () => {
  live = await createRollup()
  systemConfigAddress = live.contracts.systemConfig[900]!.address
  await live.advance(100_000)
})

interface Over {
  readonly l1?: Partial<NonNullable<Layer1Options['fork']>>
  readonly l2?: Partial<NonNullable<Layer2Options['fork']>>
}

/** The options that fork a pair as it is now. */
function forkOf(
  live: Rollup,
  over: Over = {},
): Omit<CreateRollupOptions, 'l2'> & { readonly l1: Layer1Options; readonly l2: Layer2Options } {
  const { l1, l2 } = live.clone()
  return {
    l1: { fork: { upstream: wireTo(l1), ...over.l1 } },
    l2: { fork: { upstream: wireTo(l2), ...over.l2 }, systemConfigAddress },
    batcher: { intervalS: 12 },
    proposer: { intervalS: 12 },
  }
}

async function deposit(rollup: Rollup, wei: bigint) {
  const { public1, public2, wallet1 } = clientsOf(rollup)
  const request = await public2.buildDepositTransaction({ mint: wei, to: TO, account: ACCOUNT })
  const hash = await wallet1.depositTransaction({ ...request, gas: 400_000n })
  await rollup.advance(14_000)
  const [onL2] = getL2TransactionHashes(await public1.getTransactionReceipt({ hash }))
  return public2.getTransactionReceipt({ hash: onL2! })
}

async function withdraw(rollup: Rollup, value: bigint): Promise<void> {
  const { chain2, public1, public2, wallet1, wallet2 } = clientsOf(rollup)
  const where = { targetChain: chain2 } as const
  const request = { to: TO, value, gas: 21_000n } as const
  const hash = await wallet2.initiateWithdrawal({ request, gas: 200_000n } as never)
  await rollup.advance(72_000)
  const receipt = await public2.getTransactionReceipt({ hash })
  // What was posted is what the sequencer made.
  expect(await numberOf(rollup.l2, 'safe')).toBeGreaterThan(Number(receipt.blockNumber))
  const withdrawal = getWithdrawals(receipt)[0]!
  const game = await public1.getGame({ ...where, l2BlockNumber: receipt.blockNumber })
  const proof = await public2.buildProveWithdrawal({ account: ACCOUNT, game, withdrawal })
  await wallet1.proveWithdrawal({ ...proof, gas: 1_000_000n })
  await rollup.advance(12_000)
  await rollup.jump(7 * DAY_MS + 12_000)
  await wallet1.finalizeWithdrawal({ ...where, withdrawal, gas: 500_000n })
  await rollup.advance(12_000)
  expect(await public1.getWithdrawalStatus({ ...where, receipt })).toBe('finalized')
}

const balanceOf = async ({ l1, l2 }: Rollup, layer: 1 | 2, address: Hex = TO): Promise<bigint> =>
  BigInt((await (layer === 1 ? l1 : l2).request('eth_getBalance', [address, 'latest'])) as Hex)

test('a deposit comes, and a withdrawal goes to its end', { tags: 'gate' }, async () => {
  const rollup = await createRollup(forkOf(live))
  expect([rollup.l1.fork?.blockNumber, rollup.l2.fork?.blockNumber]).toEqual([8, 48])
  const unread = { delayedWeth: {}, anchorStateRegistry: {}, proxyAdmin: {}, addressManager: {} }
  expect(rollup.contracts).toEqual({ ...live.contracts, ...unread })
  expect(await deposit(rollup, parseEther('1'))).toMatchObject({ type: '0x7e', status: 'success' })
  expect(await balanceOf(rollup, 2)).toBe(parseEther('1'))
  const start = rollup.snapshot()
  await withdraw(rollup, parseEther('2'))
  expect(await balanceOf(rollup, 1)).toBe(parseEther('2'))
  await rollup.revert(start)
  expect(await balanceOf(rollup, 1)).toBe(0n)
  const copy = rollup.clone()
  await rollup.l1.reorg({ depth: 1 })
  expect([await balanceOf(rollup, 2), await balanceOf(copy, 2)]).toEqual([0n, parseEther('1')])
})

test("the network's batcher and proposer are impersonated", { tags: 'gate' }, async () => {
  const [batcher, proposer] = [`0x${'b0'.repeat(20)}`, `0x${'a0'.repeat(20)}`] as const
  const real = await createRollup({ l2: { rollup: { systemConfig: { batcher } } } })
  const { permissionedDisputeGame } = rollupAddresses(901)
  const code = (await real.l1.request('eth_getCode', [permissionedDisputeGame, 'latest'])) as Hex
  const changed = code.replaceAll(real.proposer.address.slice(2), proposer.slice(2)) as Hex
  await real.l1.setCode(permissionedDisputeGame, changed)
  await real.advance(12_000)
  const rollup = await createRollup(forkOf(real))
  expect([rollup.batcher.address, rollup.proposer.address]).toEqual([batcher, proposer])
  await withdraw(rollup, parseEther('2'))
  expect(await balanceOf(rollup, 1)).toBe(parseEther('2'))
})

/** Code that answers calls by their selectors, others with nothing. */
function answering(answers: Readonly<Record<string, Hex>>): Hex {
  const cases = Object.entries(answers).map(([signature, bytes]) => ({
    selector: toFunctionSelector(signature).slice(2),
    bytes: bytes.slice(2),
  }))
  const pushed = (value: number) => `61${value.toString(16).padStart(4, '0')}`
  // 5f35 60e0 1c: the selector; then for each case its comparison and jump, at last a stop.
  let at = 5 + cases.length * 11 + 1
  let tables = ''
  const tests = cases.map(({ selector, bytes }) => {
    const length = bytes.length / 2
    const place = at
    const body = `5b${pushed(length)}${pushed(place + 14)}5f39${pushed(length)}5ff3`
    tables += body + bytes
    at += body.length / 2 + length
    return `8063${selector}14${pushed(place)}57`
  })
  return `0x5f3560e01c${tests.join('')}00${tables}`
}

test.each([
  ['permissioned', 164, `0x${'a0'.repeat(20)}`],
  ['permissionless', 124, undefined],
  ['of another kind', 172, undefined],
] as const)('games of later releases have arguments: %s', { tags: 'gate' }, async (_, length, proposer) => {
  const real = live.clone()
  const { disputeGameFactory, faultDisputeGame } = rollupAddresses(901)
  // 901 is 0x385: prestate, three addresses, the chain id, proposer and challenger.
  const list = `${'11'.repeat(92)}${(901).toString(16).padStart(64, '0')}${'a0'.repeat(20)}${'cc'.repeat(28)}`
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const bytes = `0x${word(32)}${word(length)}${list.slice(0, 2 * length).padEnd(384, '0')}` as const
  await real.l1.setCode(
    disputeGameFactory,
    answering({
      'gameImpls(uint32)': `0x${faultDisputeGame.slice(2).padStart(64, '0')}`,
      'initBonds(uint32)': `0x${word(5)}`,
      'gameArgs(uint32)': bytes,
    }),
  )
  const rollup = await createRollup(forkOf(real))
  const own = live.proposer.address
  expect(rollup.proposer.address).toBe(proposer ?? own)
  const submitted = rollup.proposer.submit()
  if (length === 172) await expect(submitted).rejects.toThrow('proposer.submit: games of type 1')
  else await submitted
})

test('the network is known by its chain id, and its deposits by its L1 blocks', {
  tags: 'gate',
}, async () => {
  const real = await createRollup({ l2: base({ fork: 'jovian' }) })
  const { chain2, wallet1 } = clientsOf(real)
  await wallet1.depositTransaction({
    request: { gas: 100_000n, mint: 5n, to: TO },
    targetChain: chain2,
    gas: 400_000n,
  } as never)
  // The layer 2 has not taken the L1 block yet, which is before the fork.
  await real.advance(12_000)
  const { l1, l2 } = real.clone()
  const rollup = await createRollup({ l1: { fork: { upstream: l1 } }, l2: { fork: { upstream: l2 } } })
  expect(rollup.contracts.portal[1]?.address).toBe('0x49048044d57e1c92a77f79988d21fa8faf74e97e')
  expect(await balanceOf(rollup, 2)).toBe(0n)
  for (const each of [rollup, real]) await each.advance(2000)
  expect(await balanceOf(rollup, 2)).toBe(5n)
  const [mine, theirs] = await Promise.all([rollup, real].map((each) => blockOf(each.l2, 'latest')))
  expect(mine?.transactions.map(({ hash }) => hash)).toEqual(theirs?.transactions.map(({ hash }) => hash))
})

describe('blocks that nobody names', () => {
  test.each([
    // L1 blocks are 12 s apart, those of the layer 2 are 2 s apart, and the heads are at 96 and 100 s.
    ['are at the time of the head that is behind', {}, [8, 48], 96],
    ['of the layer 2 are at the time of the layer 1', { l1: { block: 3 } }, [3, 18], 36],
    ['of the layer 1 are the last before the layer 2', { l2: { block: 17 } }, [2, 17], 34],
    ['are found by a time', { l1: { block: { timestamp: 1_704_067_200 + 59 } } }, [4, 24], 48],
    ['may be none', { l1: { block: 4 }, l2: { block: 20 } }, [4, 20], 48],
  ] as const)('%s', { tags: 'gate' }, async (_, over, blocks, seconds) => {
    const rollup = await createRollup(forkOf(live, over as Over))
    expect([rollup.l1.fork?.blockNumber, rollup.l2.fork?.blockNumber]).toEqual(blocks)
    expect([rollup.l1.now, rollup.l2.now]).toEqual([1_704_067_200_000 + 1000 * seconds, rollup.now])
    // A layer that is behind has caught up.
    expect(await numberOf(rollup.l2, 'latest')).toBe(seconds / 2)
    await rollup.advance(12_000)
    expect((await blockOf(rollup.l2, 'latest')).transactions).toHaveLength(1)
  })
})

test('both layers are replayed without their upstreams', { tags: 'gate' }, async () => {
  const texts: (string | undefined)[] = [undefined, undefined]
  const recordingOf = (layer: number) => ({
    read: () => texts[layer],
    write: (text: string) => {
      texts[layer] = text
    },
  })
  const play = async (options: CreateRollupOptions) => {
    const rollup = await createRollup(options)
    await deposit(rollup, 7n)
    return [await blockOf(rollup.l1, 'latest'), await blockOf(rollup.l2, 'latest')]
  }
  const recorded = await play(
    forkOf(live, { l1: { recording: recordingOf(0) }, l2: { recording: recordingOf(1) } }),
  )
  const options = {
    l1: { fork: { recording: recordingOf(0) } },
    l2: { fork: { recording: recordingOf(1) }, systemConfigAddress },
    batcher: { intervalS: 12 },
    proposer: { intervalS: 12 },
  }
  expect(await play(options)).toEqual(recorded)
})

describe('is refused:', () => {
  const invalid = (option: string, reason: RegExp | string) =>
    expect.objectContaining({
      kind: 'invalidOption',
      message: expect.stringMatching(
        new RegExp(
          `invalid option ${option.replace(/[[\]]/g, '\\$&')}: .*${reason instanceof RegExp ? reason.source : reason}`,
        ),
      ),
    })
  const fork = () => ({ upstream: live.l1 })

  test.each([
    ['a layer 2 without a fork', () => ({ l1: { fork: fork() } }), 'l2.fork', 'a fork beside that of l1'],
    ['a fork over no fork', () => ({ l2: { fork: fork() } }), 'l2.fork', 'none without one of l1'],
    [
      'what its contracts decide',
      () => ({ ...forkOf(live), withdrawals: { proofMaturityDelayS: 1 } }),
      'withdrawals',
      'none on a fork',
    ],
    ['a bond', () => ({ ...forkOf(live), proposer: { bond: 1n } }), 'proposer.bond', 'none on a fork'],
    [
      'the address of a contract without a fork',
      () => ({ l2: { systemConfigAddress: TO } }),
      'l2.systemConfigAddress',
      'none without a fork',
    ],
    [
      'an unknown network',
      () => ({ l1: { fork: fork() }, l2: { fork: { upstream: live.l2 } } }),
      'l2.systemConfigAddress',
      'the address of SystemConfig on the layer 1, as chain 901 is not known',
    ],
    [
      'another address',
      () => ({ ...forkOf(live), l2: { ...forkOf(live).l2, systemConfigAddress: TO } }),
      'l2.systemConfigAddress',
      `which has optimismPortal.*got "${TO}"`,
    ],
    [
      'a layer 1 that is before the origin',
      () => forkOf(live, { l1: { block: 3 }, l2: { block: 40 } }),
      'l2.fork.block',
      'up to block 3 of l1.fork, got block 40 with the origin 6',
    ],
    [
      'a place within a block',
      async () => {
        const [hash] = (await blockOf(live.l2, 20)).transactions
        return forkOf(live, { l2: { block: hash!.hash } })
      },
      'l2.fork.block',
      'a block',
    ],
    [
      'a time before the first block',
      () => forkOf(live, { l1: { block: { timestamp: -1 } } }),
      'l1.fork.block.timestamp|fork.block.timestamp',
      '',
    ],
  ])('%s', { tags: 'gate' }, async (_, options, option, reason) => {
    await expect(async () => createRollup((await options()) as never)).rejects.toThrow(
      invalid(option, reason),
    )
  })

  test('another layer 1', { tags: 'gate' }, async () => {
    const other = await createEmulator({ chainId: 1 })
    const l2 = await createEmulator(base({ fork: 'jovian' }))
    await l2.mine(1)
    const wrongId = { l1: { fork: { upstream: live.l1 } }, l2: { fork: { upstream: l2 } } }
    await expect(createRollup(wrongId)).rejects.toThrow(
      invalid('l1.fork', 'chain 1, the layer 1 of chain 8453, got .*900'),
    )
    const noContracts = { l1: { fork: { upstream: other } }, l2: { fork: { upstream: l2 } } }
    await expect(createRollup(noContracts)).rejects.toThrow(
      invalid('l2.systemConfigAddress', 'optimismPortal'),
    )
  })

  test('a layer 1 of the same numbers', { tags: 'gate' }, async () => {
    const other = await createRollup({ l1: { seed: 1 } })
    await other.advance(100_000)
    const options = { ...forkOf(live), l1: { fork: { upstream: other.l1 } } }
    await expect(createRollup(options)).rejects.toThrow(
      invalid('l2.fork.block', 'whose L1 origin is one of the 3600'),
    )
  })

  test('a chain of no stack, and one whose contracts are of another chain', { tags: 'gate' }, async () => {
    const plain = await createEmulator({ chainId: 901 })
    await plain.mine(5)
    const { l1, l2 } = forkOf(live)
    await expect(createRollup({ l1, l2: { ...l2, fork: { upstream: plain } } })).rejects.toThrow(
      invalid('l2.fork', 'a chain of the OP stack'),
    )
    const two = await createRollup({ l2: [{}, {}] })
    await two.advance(12_000)
    const [first, second] = two.chains
    const crossed = {
      l1: { fork: { upstream: two.l1 } },
      l2: {
        fork: { upstream: second!.l2 },
        systemConfigAddress: first!.contracts.systemConfig[900]!.address,
      },
    }
    await expect(createRollup(crossed)).rejects.toThrow(
      invalid('l2.systemConfigAddress', 'that of chain 902, not that of chain 901'),
    )
    const both = {
      l1: { fork: { upstream: two.l1 } },
      l2: two.chains.map(({ l2: layer, contracts }) => ({
        fork: { upstream: layer },
        systemConfigAddress: contracts.systemConfig[900]!.address,
      })),
    }
    const rollup = await createRollup(both)
    expect(rollup.chains.map(({ l2: layer }) => layer.settings.chainId)).toEqual([901, 902])
  })
})
