// Whom a test plays without having the key: accounts one by one, every account, and signatures.

import { type Address, bytesToHex } from '../../primitives/hex.ts'
import type { NodeState } from '../node-state.ts'
import type { Controls } from './controls.ts'

function withControls(state: NodeState, changes: Partial<Controls>): NodeState {
  return { ...state, controls: { ...state.controls, ...changes } }
}

export function isImpersonated({ controls }: NodeState, address: Address): boolean {
  return controls.impersonatesAll || controls.impersonated.has(address)
}

/** Those that are impersonated one by one, in the order of their addresses. */
export function impersonatedAccounts({ controls }: NodeState): Address[] {
  return [...controls.impersonated.entries()].map(([address]) => address).sort()
}

/** Takes transactions of an account without a signature from now on. */
export function impersonate(state: NodeState, address: Address): NodeState {
  return withControls(state, { impersonated: state.controls.impersonated.set(address, true) })
}

export function stopImpersonating(state: NodeState, address: Address): NodeState {
  return withControls(state, { impersonated: state.controls.impersonated.delete(address) })
}

/** Takes transactions of every account without a signature. */
export function impersonateAll(state: NodeState): NodeState {
  return withControls(state, { impersonatesAll: true })
}

/** Undoes `impersonateAll`; what is impersonated one by one stays so. */
export function stopImpersonatingAll(state: NodeState): NodeState {
  return withControls(state, { impersonatesAll: false })
}

/** Lets ecrecover answer an account for a signature of 65 bytes (r, s, v), whatever it signs. */
export function impersonateSignature(state: NodeState, signature: Uint8Array, address: Address): NodeState {
  const { impersonatedSignatures } = state.controls
  return withControls(state, {
    impersonatedSignatures: impersonatedSignatures.set(bytesToHex(signature), address),
  })
}
