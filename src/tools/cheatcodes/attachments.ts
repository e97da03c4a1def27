// What goes with the next call that is broadcast: delegations (EIP-7702) or a blob.

import type { Address } from '../../core/primitives/hex.ts'

export class Attachments {
  /** The accounts that delegate. */
  delegations: Address[] = []
  hasBlob = false

  /** Attaches to a broadcast; says why that cannot be. A creation takes no blob. */
  refusalOf(isCall: boolean): string | undefined {
    const isRefused = this.hasBlob && this.delegations.length > 0
    this.delegations = []
    if (isCall) this.hasBlob = false
    if (!isRefused) return undefined
    return 'both delegation and blob are active; `attachBlob` and `attachDelegation` are not compatible'
  }
}
