// The guess of a transaction's signer among the known accounts.

import { type Hex, numberToHex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { NO_CONTROLS, unlockedAccount } from '../../../src/core/node/control/controls.ts'
import type { NodeState } from '../../../src/core/node/node-state.ts'
import { likelySigner } from '../../../src/core/node/production/submit.ts'
import { EMPTY_POOL, type Pool } from '../../../src/core/pool/pool.ts'
import type { Address } from '../../../src/core/primitives/hex.ts'
import { EMPTY_WORLD_STATE, updateAccount } from '../../../src/core/state/world-state.ts'
import { alice, bob, startScene, transfer } from '../rpc/scene.ts'

const at = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

/** The parts of a state for a guess: accounts with these nonces; those in `keyless` are held without a key. */
function stateOf(
  nonces: readonly number[],
  keyless: readonly number[] = [],
  pool: Pool = EMPTY_POOL,
): NodeState {
  const world = nonces.reduce(
    (state, nonce, index) => updateAccount(state, at(index), { nonce: BigInt(nonce) }),
    EMPTY_WORLD_STATE,
  )
  const accounts = new Map(
    nonces.map((_, index) => {
      const held = unlockedAccount(Uint8Array.of(index))
      return [at(index), keyless.includes(index) ? { ...held, key: undefined } : held] as const
    }),
  )
  const chain = { open: undefined, head: { committed: { state: world } } }
  return { chain, controls: { ...NO_CONTROLS, accounts }, pool } as unknown as NodeState
}

test.each([
  ['the only one whose turn it is', [3, 5, 0], 5, 1],
  ['the first of several', [4, 2, 2], 2, 1],
  ['the nearest, where some are on their way', [0, 5, 3], 8, 1],
  ['nobody, where all have passed it', [4, 5], 3, undefined],
  ['nobody of none', [], 0, undefined],
] as const)('%s', (_, nonces, nonce, expected) => {
  const guess = likelySigner(stateOf(nonces), BigInt(nonce))
  expect(guess?.address).toBe(expected === undefined ? undefined : at(expected))
  expect(guess?.privateKey).toEqual(expected === undefined ? undefined : Uint8Array.of(expected))
})

test('accounts without a key are not guessed', () => {
  expect(likelySigner(stateOf([0, 0], [0]), 0n)?.address).toBe(at(1))
})

test('only some of many accounts are examined', () => {
  const nonces = Array.from({ length: 1000 }, (_, index) => (index === 999 ? 7 : 0))
  expect(likelySigner(stateOf(nonces), 7n)?.address).not.toBe(at(999))
})

const strangers = [1, 2, 3].map((number) => privateKeyToAccount(numberToHex(number, { size: 32 })))

test.each([true, false])(
  'alternating signers are recovered as the senders, automine %s',
  { tags: 'gate' },
  async (automine) => {
    const { ask } = await startScene({ production: automine ? 'auto' : 'manual' })
    for (const { address } of strangers) {
      await ask('hardhat_setBalance', address, numberToHex(parseEther('1')))
    }
    // More than the number of guesses, with nonces that several accounts share.
    const signers = [alice, bob, alice, ...strangers, bob, bob]
    const nonces = new Map<Hex, number>()
    const sent: { hash: Hex; from: Hex }[] = []
    for (let round = 0; round < 5; round++) {
      for (const signer of signers) {
        const nonce = nonces.get(signer.address) ?? 0
        nonces.set(signer.address, nonce + 1)
        const raw = await signer.signTransaction(transfer(bob.address, nonce))
        sent.push({
          hash: await ask('eth_sendRawTransaction', raw),
          from: signer.address.toLowerCase() as Hex,
        })
      }
    }
    if (!automine) await ask('evm_mine')
    for (const { hash, from } of sent) {
      expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ from, status: '0x1' })
    }
  },
)
