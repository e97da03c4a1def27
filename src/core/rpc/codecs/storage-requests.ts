// Codec of the parameter of eth_getStorageValues: slots by account.

import type { Address, Hash } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { address, arrayOf, asRecord, storageKey } from './basic.ts'
import { type Codec, refuse } from './codec.ts'

export interface StorageRequest {
  readonly account: Address
  readonly slots: readonly Hash[]
}

/** How many slots one request may ask for, as in geth. */
const MAX_SLOTS = 1024

export const storageRequests: Codec<StorageRequest[], Readonly<Record<string, readonly string[]>>> = {
  name: 'object from address to array of storage slots',
  decode(value, path) {
    const requests = Object.entries(asRecord(value, path)).map(([key, slots]) => ({
      account: address.decode(key, `${path}[${describe(key)}]`),
      slots: arrayOf(storageKey, MAX_SLOTS).decode(slots, `${path}.${key}`),
    }))
    const count = requests.reduce((sum, { slots }) => sum + slots.length, 0)
    if (count === 0) refuse(path, 'empty request')
    if (count > MAX_SLOTS) refuse(path, `too many slots (max ${MAX_SLOTS})`)
    return requests
  },
}
