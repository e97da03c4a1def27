// The precompiles of the EVM of this library: its own, and for the rest those of the reference, which load when they are
// called.

import type { Precompile } from '../../interpreter/evm-interface.ts'
import { addressOfPublicKey, recoverPublicKey, sha256 } from '../../primitives/crypto.ts'
import { bytesToBigInt, EMPTY_BYTES, hexToBytes, padLeft } from '../../primitives/hex.ts'
import { andThen } from '../../primitives/later.ts'
import { loadOnce } from '../../primitives/loading.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import type { Rules } from '../../rollup/rules.ts'
import { outOfGas } from './failures.ts'
import { installPrecompiles } from './install.ts'

const INPUT_BYTES = 128

/** The address that made a signature, or nothing: hash, v, r and s, a word each, padded with zeros. */
const ecrecover: Precompile = ({ data, gasLimit, common }) => {
  const executionGasUsed = common.param('ecRecoverGas')
  if (gasLimit < executionGasUsed) return outOfGas(gasLimit)
  const input = new Uint8Array(INPUT_BYTES)
  input.set(data.subarray(0, INPUT_BYTES))
  const [v, r, s] = [32, 64, 96].map((at) => bytesToBigInt(input.subarray(at, at + 32)))
  const isValid = v === 27n || v === 28n
  const key = isValid
    ? recoverPublicKey(input.subarray(0, 32), r as bigint, s as bigint, Number(v) - 27)
    : undefined
  const returnValue = key === undefined ? EMPTY_BYTES : padLeft(hexToBytes(addressOfPublicKey(key)), 32)
  return { executionGasUsed, returnValue }
}

/** A precompile that is charged by the word. */
function byWord(name: string, compute: (data: Uint8Array) => Uint8Array): Precompile {
  return ({ data, gasLimit, common }) => {
    const words = BigInt(Math.ceil(data.length / 32))
    const executionGasUsed = common.param(`${name}Gas`) + common.param(`${name}WordGas`) * words
    if (gasLimit < executionGasUsed) return outOfGas(gasLimit)
    return { executionGasUsed, returnValue: compute(data) }
  }
}

const hashBySha256 = byWord('sha256', sha256)
const identity = byWord('identity', (data) => data.slice())

const BASIC: ReadonlyMap<number, Precompile> = new Map([
  [0x01, ecrecover],
  [0x02, hashBySha256],
  [0x04, identity],
])

type LoadReference = () => Promise<ReadonlyMap<string, Precompile>>

/** The precompiles of a fork, by unprefixed address. */
export function ownPrecompilesOf(rules: Rules, loadReference: LoadReference): Map<string, Precompile> {
  const reference = loadOnce(loadReference)
  const fromReference =
    (address: string): Precompile =>
    (input) =>
      andThen(reference(), (all) => (all.get(address) as Precompile)(input))
  const addresses = Object.values(precompilesOf(rules)).map((address) => address.slice(2))
  const precompiles = new Map(
    addresses.map((address) => [address, BASIC.get(Number(`0x${address}`)) ?? fromReference(address)]),
  )
  installPrecompiles(rules, precompiles)
  return precompiles
}
