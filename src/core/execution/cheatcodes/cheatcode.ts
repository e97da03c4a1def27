// What a cheatcode is: a row of the tables beside this file.

import type { AbiValue } from '../../primitives/abi.ts'
import { type Hex, hexToBytes } from '../../primitives/hex.ts'
import type { Later } from '../../primitives/later.ts'
import { Refusal } from './refusal.ts'
import type { CheatSite } from './site.ts'

/** Values that a cheatcode returns, after their types. */
export type Returned = readonly [types: string, ...values: AbiValue[]]

/** Returns values, a promise of them, or nothing. */
export type Cheatcode = (site: CheatSite, args: readonly AbiValue[]) => Later<Returned> | unknown

/** By their signatures. */
export type Cheatcodes = Readonly<Record<string, Cheatcode>>

const MOST_UINT64 = (1n << 64n) - 1n

export function bytesOf(value: AbiValue | undefined): Uint8Array {
  return hexToBytes(value as Hex)
}

export function requireUint64(value: AbiValue | undefined, name: string): bigint {
  if ((value as bigint) > MOST_UINT64) throw new Refusal(`${name} must be less than 2^64`)
  return value as bigint
}

/** `Wallet` of forge-std. */
export const WALLET = '(address,uint256,uint256,uint256)'
