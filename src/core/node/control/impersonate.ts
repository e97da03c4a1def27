// Impersonation: transactions without a signature, and signers that ecrecover returns for given signatures.

import { type Address, bytesToHex } from '../../primitives/hex.ts'
import { type NodeState, withControls } from '../node-state.ts'

export function isImpersonated({ controls }: NodeState, address: Address): boolean {
  return controls.impersonatesAll || controls.impersonated.has(address)
}

/** The accounts that are impersonated individually, ordered by address. */
export function impersonatedAccounts({ controls }: NodeState): Address[] {
  return [...controls.impersonated.entries()].map(([address]) => address).sort()
}

/** Accepts transactions of an account without a signature from now on. */
export function impersonate(state: NodeState, address: Address): NodeState {
  return withControls(state, { impersonated: state.controls.impersonated.set(address, true) })
}

export function stopImpersonating(state: NodeState, address: Address): NodeState {
  return withControls(state, { impersonated: state.controls.impersonated.delete(address) })
}

/** Accepts transactions of every account without a signature. */
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
