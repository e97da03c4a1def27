// The port of native contracts to an execution: metered storage, logs and accounts, whatever the interpreter; and how
// calls of them fail.

import type { Address, Hash } from '../../primitives/hex.ts'
import type { Account } from '../../state/world-state.ts'

/**
 * Failures that end a call. Those that a contract or Solidity's checks cause stand for themselves where one call runs
 * others; malformed and static ones are wrapped there.
 */
type FailureKind = 'revert' | 'panic' | 'malformed' | 'static' | 'outOfGas'

export class NativeFailure extends Error {
  readonly kind: FailureKind
  /** The data of the revert. */
  readonly data: Uint8Array

  constructor(kind: FailureKind, data: Uint8Array = new Uint8Array(0)) {
    super(kind)
    this.kind = kind
    this.data = data
  }
}

/** An access that has no gas left, or that a static call may not make, throws a `NativeFailure`. */
export interface NativePort {
  /** 1 from beryl on, 2 from cobalt, 3 from denim. */
  readonly version: number
  readonly chainId: bigint
  /** Seconds. */
  readonly timestamp: bigint
  readonly isStatic: boolean
  readonly caller: Address
  /** The admin of features of a chain that has set none. */
  readonly activationAdmin: Address
  readonly charge: (gas: number) => void
  readonly load: (address: Address, slot: Hash) => bigint
  readonly store: (address: Address, slot: Hash, value: bigint) => void
  readonly log: (address: Address, topics: Uint8Array[], data: Uint8Array) => void
  readonly account: (address: Address) => Account
  /** Gives an account the code by which it shows that it is there. */
  readonly mark: (address: Address) => void
}

/** The code of a native contract that is there. */
export const MARKER = Uint8Array.of(0xef)

const KECCAK_GAS = 30
export const GAS_PER_WORD = 6

/** Charges for a hash as for the opcode. */
export function chargeHash(port: NativePort, length: number): void {
  port.charge(KECCAK_GAS + GAS_PER_WORD * Math.ceil(length / 32))
}
