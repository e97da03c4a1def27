// Hand-made transactions: any fields, in any number and of any length, RLP-encoded and signed by viem.

import { concat, type Hex, hexToNumber, keccak256, numberToHex, toRlp, trim } from 'viem'
import { sign } from 'viem/accounts'

/** An RLP item as hex; `0x` is the empty string. */
export type Item = Hex | readonly Item[]

/** The RLP form of a number: big-endian, without leading zeros. */
export function integer(value: bigint | number): Hex {
  return BigInt(value) === 0n ? '0x' : trim(numberToHex(value))
}

/** A typed transaction of these items, or a legacy one for type 0. */
export function envelope(type: number, items: readonly Item[]): Hex {
  const payload = toRlp(items as Hex[])
  return type === 0 ? payload : concat([numberToHex(type, { size: 1 }), payload])
}

export interface SigningOptions {
  /** Replaces the right `v`. */
  readonly v?: Hex
  readonly r?: Hex
  readonly s?: Hex
  /** For a legacy transaction: the chain id in `v`; without it the transaction is from before EIP-155. */
  readonly chainId?: number
}

/** Signs items with a key and appends the signature, or its replacement. */
export async function signItems(
  type: number,
  items: readonly Item[],
  privateKey: Hex,
  { v, r, s, chainId }: SigningOptions = {},
): Promise<Hex> {
  const isProtected = type === 0 && chainId !== undefined
  const signed = isProtected ? [...items, integer(chainId), '0x' as const, '0x' as const] : items
  const signature = await sign({ hash: keccak256(envelope(type, signed)), privateKey })
  const parity = BigInt(signature.yParity ?? hexToNumber('0x0'))
  const legacyV = chainId === undefined ? 27n + parity : BigInt(chainId) * 2n + 35n + parity
  const rightV = integer(type === 0 ? legacyV : parity)
  return envelope(type, [...items, v ?? rightV, r ?? trim(signature.r), s ?? trim(signature.s)])
}
