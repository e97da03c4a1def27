// Changes of a command beside the state: numbered snapshots, resets, and changes of the session. All of them happen
// with the commit, or none.

import { createEmulator, type Emulator } from 'tickchain'
import { expect, test } from 'vitest'
import { EMPTY_RECORDS, saveSnapshot } from '../../../src/core/node/lookup.ts'
import { Node } from '../../../src/core/node/node.ts'
import type { NodeState } from '../../../src/core/node/node-state.ts'
import { ALICE, BOB } from '../rpc/scene.ts'

/** Lets a number of microtasks pass. */
async function pass(microtasks: number): Promise<void> {
  for (let i = 0; i < microtasks; i++) await Promise.resolve()
}

/** The records as a clone shows them: the block of snapshot 0x0, the next snapshot's id, the run's id. */
async function recordsOf(chain: Emulator) {
  const { instanceId } = await chain.nodeInfo()
  const next = await chain.request('evm_snapshot')
  const hasFirst = await chain.request('evm_revert', ['0x0'])
  return { instanceId, next, hasFirst }
}

test.each([
  ['evm_snapshot', []],
  ['evm_revert', ['0x0']],
  ['hardhat_reset', []],
])('%s is complete, or has changed nothing, whenever the emulator is disposed of', async (method, params) => {
  const outcomes = new Set<string>()
  for (let microtasks = 0; microtasks < 12; microtasks++) {
    const chain = await createEmulator()
    await chain.request('evm_snapshot')
    const before = await recordsOf(chain.clone())
    const command = chain.request(method, params).then(
      () => 'done',
      ({ kind }: { kind: string }) => kind,
    )
    const clone = chain.clone()
    await pass(microtasks)
    chain.dispose()
    const outcome = await command
    outcomes.add(outcome)
    const after = await recordsOf(clone)
    if (outcome === 'done') expect(after, `after ${microtasks} microtasks`).not.toEqual(before)
    else expect(after, `after ${microtasks} microtasks`).toEqual(before)
  }
  expect([...outcomes].sort()).toEqual(['disposed', 'done'])
})

test('a clone has the numbered snapshots of earlier commands, not of later ones', async () => {
  const chain = await createEmulator()
  const first = chain.request('evm_snapshot')
  const clone = chain.clone()
  const second = chain.request('evm_snapshot')
  expect(await Promise.all([first, second])).toEqual(['0x0', '0x1'])
  expect(await clone.request('evm_revert', ['0x1'])).toBe(false)
  expect(await clone.request('evm_revert', ['0x0'])).toBe(true)
  expect(await clone.request('evm_snapshot')).toBe('0x1')
  expect(await chain.request('evm_revert', ['0x0'])).toBe(true)
})

test('snapshots, reverts and resets take effect in the order of their calls', async () => {
  const chain = await createEmulator()
  const ask = (method: string, ...params: unknown[]) => chain.request(method, params)
  const answers = await Promise.all([
    ask('evm_snapshot'),
    ask('evm_mine'),
    ask('evm_snapshot'),
    ask('evm_revert', '0x0'),
    ask('eth_blockNumber'),
    ask('evm_revert', '0x1'),
    ask('evm_snapshot'),
    ask('hardhat_reset'),
    ask('evm_revert', '0x2'),
    ask('evm_snapshot'),
  ])
  expect(answers).toEqual(['0x0', '0x0', '0x1', true, '0x0', false, '0x2', null, false, '0x3'])
})

test('a bundle of calls is available to the next request', async () => {
  const chain = await createEmulator()
  const id = `0x${'ab'.repeat(32)}`
  const call = { version: '2.0.0', chainId: '0x7a69', from: ALICE, atomicRequired: false, id }
  const [sent, shown] = await Promise.all([
    chain.request('wallet_sendCalls', [{ ...call, calls: [{ to: BOB, value: '0x1' }] }]),
    chain.request('wallet_showCallsStatus', [id]),
  ])
  expect(sent).toEqual({ id })
  expect(shown).toBeNull()
})

test('a disposed emulator has no bundles', async () => {
  const chain = await createEmulator()
  chain.dispose()
  const shown = chain.request('wallet_showCallsStatus', ['0x1'])
  await expect(shown).rejects.toMatchObject({ kind: 'disposed' })
})

test('a subscription exists before its first message', async () => {
  const chain = await createEmulator()
  chain.on('message', () => chain.dispose())
  expect(await chain.request('eth_subscribe', ['syncing'])).toBe('0x1')
})

test('a commit stores state and records, applies the effects, and then publishes the events', async () => {
  const states = [{ chain: {} }, { chain: {} }]
  const [before, after] = states as unknown as readonly [NodeState, NodeState]
  const records = saveSnapshot(EMPTY_RECORDS, before)
  const seen: unknown[] = []
  const node: Node = new Node(before, ({ type }) => seen.push([type, node.state === after]))
  await node.execute(() => ({
    state: after,
    records,
    effects: [() => seen.push(['first effect', node.state === after]), () => seen.push('second effect')],
    events: [{ type: 'blockOpened', state: after }],
    result: undefined,
  }))
  expect(seen).toEqual([['first effect', true], 'second effect', ['blockOpened', true], ['committed', true]])
  expect(await node.read((_, found) => found)).toBe(records)
})

test('a command that throws, or during which the node is disposed of, has no effects', async () => {
  const state = { chain: {} } as unknown as NodeState
  const seen: string[] = []
  const node = new Node(state, ({ type }) => seen.push(type))
  const refused = node.execute(async () => {
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  const disposed = node.execute(async () => {
    node.dispose()
    return { state, effects: [() => seen.push('effect')], events: [], result: undefined }
  })
  await expect(disposed).rejects.toMatchObject({ kind: 'disposed' })
  expect(seen).toEqual([])
})
