// The accounts that the emulator signs for. Those of the options are unlocked; those that ganache's personal_…
// methods add are locked until they are unlocked with their passphrase.

import { addressOfPublicKey, keccak256 } from '../../primitives/crypto.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bytesToHex, concatBytes, hexToBytes, toWord } from '../../primitives/hex.ts'
import { publicKeyOf } from '../../primitives/signer.ts'
import type { Transition } from '../events.ts'
import { type NodeState, withControls } from '../node-state.ts'
import type { HeldAccount } from './controls.ts'

/** Accepts transactions of an account without a signature from now on. */
export function impersonate(state: NodeState, address: Address): NodeState {
  return withControls(state, { impersonated: state.controls.impersonated.set(address, true) })
}

export function stopImpersonating(state: NodeState, address: Address): NodeState {
  return withControls(state, { impersonated: state.controls.impersonated.delete(address) })
}

export function impersonateAll(state: NodeState): NodeState {
  return withControls(state, { impersonatesAll: true })
}

/** Undoes `impersonateAll`; accounts that are impersonated individually stay so. */
export function stopImpersonatingAll(state: NodeState): NodeState {
  return withControls(state, { impersonatesAll: false })
}

/** Makes ecrecover return an account for a signature of 65 bytes (r, s, v), whatever it signs. */
export function impersonateSignature(state: NodeState, signature: Uint8Array, address: Address): NodeState {
  const { impersonatedSignatures } = state.controls
  return withControls(state, {
    impersonatedSignatures: impersonatedSignatures.set(bytesToHex(signature), address),
  })
}

const LOCKED = 0

export function heldAccounts({ controls }: NodeState): Address[] {
  return [...controls.accounts.keys()]
}

/**
 * The key that signs transactions of an account; `undefined` if the account is impersonated. Throws
 * `unknownAccount` or `accountLocked`.
 */
export function keyToSend(state: NodeState, address: Address): Uint8Array | undefined {
  const held = state.controls.accounts.get(address)
  if (held !== undefined && state.nowMs < held.unlockedUntilMs) return held.key
  const { controls } = state
  if (controls.impersonatesAll || controls.impersonated.has(address)) return undefined
  throw held === undefined ? failure('unknownAccount', { address }) : failure('accountLocked')
}

/** The key that signs messages of an account; throws also `impersonatedWithoutKey`. */
export function keyToSign(state: NodeState, address: Address): Uint8Array {
  const key = keyToSend(state, address)
  if (key === undefined) throw failure('impersonatedWithoutKey', { address })
  return key
}

function withHeld(state: NodeState, address: Address, account: HeldAccount | undefined): NodeState {
  const accounts = new Map(state.controls.accounts)
  if (account === undefined) accounts.delete(address)
  else accounts.set(address, account)
  return withControls(state, { accounts })
}

/** The account, if the passphrase is right; throws `unknownAccount` or `wrongPassphrase`. */
function openAccount({ controls }: NodeState, address: Address, passphrase: string): HeldAccount {
  const held = controls.accounts.get(address)
  if (held === undefined) throw failure('unknownAccount', { address })
  if (held.passphrase !== passphrase) throw failure('wrongPassphrase')
  return held
}

export function unlockAccount(state: NodeState, address: Address, passphrase: string, durationMs: number) {
  const held = openAccount(state, address, passphrase)
  return withHeld(state, address, { ...held, unlockedUntilMs: state.nowMs + durationMs })
}

/** Locks an account; false if there is none. */
export function lockAccount(state: NodeState, address: Address): Transition<boolean> {
  const held = state.controls.accounts.get(address)
  if (held === undefined) return { state, events: [], result: false }
  return { state: withHeld(state, address, { ...held, unlockedUntilMs: LOCKED }), events: [], result: true }
}

/** Adds an account by its private key, locked; `undefined` for an invalid key. Throws `accountExists`. */
export async function importKey(state: NodeState, key: Uint8Array, passphrase: string) {
  const publicKey = publicKeyOf(key)
  if (publicKey === undefined) return undefined
  const address = addressOfPublicKey(publicKey)
  if (state.controls.accounts.has(address)) throw failure('accountExists')
  const account = { key, passphrase, unlockedUntilMs: LOCKED }
  return { state: withHeld(state, address, account), events: [], result: address }
}

/** Makes an account, locked. Its key is derived from prevRandao, so it is deterministic. */
export async function createAccount(state: NodeState, passphrase: string): Promise<Transition<Address>> {
  const newAccounts = state.controls.newAccounts + 1
  const counted = withControls(state, { newAccounts })
  let key = keccak256(
    concatBytes(hexToBytes(state.prevRandaoSource.prevRandao), hexToBytes(toWord(newAccounts))),
  )
  for (;;) {
    const created = await importKey(counted, key, passphrase)
    if (created !== undefined) return created
    key = keccak256(key)
  }
}

/** Adds an account without a key, locked; false if it exists. */
export function addAccount(state: NodeState, address: Address, passphrase: string): Transition<boolean> {
  if (state.controls.accounts.has(address)) return { state, events: [], result: false }
  const account = { key: undefined, passphrase, unlockedUntilMs: LOCKED }
  return { state: withHeld(state, address, account), events: [], result: true }
}

/** Removes an account; false if there is none. Throws `wrongPassphrase`. */
export function removeAccount(state: NodeState, address: Address, passphrase: string): Transition<boolean> {
  if (!state.controls.accounts.has(address)) return { state, events: [], result: false }
  openAccount(state, address, passphrase)
  return { state: withHeld(state, address, undefined), events: [], result: true }
}
