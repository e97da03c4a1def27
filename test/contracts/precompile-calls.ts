// A call of each precompile.

import { concat, type Hex, sha256, toHex } from 'viem'

/** Words of 32 bytes, one after another. */
export const words = (...values: (bigint | number)[]): Hex =>
  concat(values.map((value) => toHex(value, { size: 32 })))
const zeros = (count: number): Hex => toHex(0, { size: count })

/** The generator of the second group of alt_bn128 (EIP-197), imaginary parts first. */
const BN_G2 = words(
  11559732032986387107991004021392285783925812861821192530917403151452391805634n,
  10857046999023057135944570762232829481370756359578518086990519993285655852781n,
  4082367875863433681332203403145435568316851327593401208105741076214120093531n,
  8495653923123431417604973247489272438418190587263600148770280649306958101930n,
)
const BN_PRIME = 21888242871839275222246405745257275088696311157297823662689037894645226208583n
/** BLS12-381's point at infinity, compressed: the commitment to the polynomial that is zero, and each proof of it. */
const INFINITY = `0xc0${'00'.repeat(47)}` as const
const BLS_ORDER = 52435875175126190479447740508185965837690552500527637822603658699938581184513n

/** A call of each precompile, with its output if it was calculated by hand, else with its length. */
export const PRECOMPILES: readonly (readonly [number, Hex, Hex | number])[] = [
  [1, words(1, 27, 1, 1), 32],
  [2, '0x', sha256('0x')],
  [3, '0x', words(0x9c1185a5c5e9fc54612808977ee8f548b2258d31n)],
  [4, '0x1234', '0x1234'],
  [5, concat([words(1, 1, 1), '0x030205']), '0x04'],
  [6, words(1, 2, 1, BN_PRIME - 2n), words(0, 0)],
  [7, words(1, 2, 1), words(1, 2)],
  [8, concat([words(1, 2), BN_G2, words(1, BN_PRIME - 2n), BN_G2]), words(1)],
  [9, concat(['0x0000000c', zeros(208), '0x01']), 64],
  [10, concat([`0x01${sha256(INFINITY).slice(4)}`, words(0, 0), INFINITY, INFINITY]), words(4096, BLS_ORDER)],
  [11, zeros(256), zeros(128)],
  [12, zeros(160), zeros(128)],
  [13, zeros(512), zeros(256)],
  [14, zeros(288), zeros(256)],
  [15, zeros(384), words(1)],
  [16, zeros(64), 128],
  [17, zeros(128), 256],
  // Not a signature.
  [0x100, zeros(160), '0x'],
]
