// The precompiles that @ethereumjs/evm computes too slowly for their gas, replaced by faster ones. Their WebAssembly is
// loaded with the first call. docs/decisions/0020-fast-precompiles.md has the measurements.

import type { EVMBLSInterface, EVMBN254Interface } from '@ethereumjs/evm'
import { failed, outOfGas, type Precompile } from '../../interpreter/evm-interface.ts'
import { addressOfPublicKey, recoverPublicKey, sha256 } from '../../primitives/crypto.ts'
import { bytesToBigInt, EMPTY_BYTES, hexToBytes, padLeft } from '../../primitives/hex.ts'
import { andThen, type Later, loadOnce } from '../../primitives/loading.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { pointEvaluation } from './kzg.ts'
import { openP256, P256_GAS, P256_GAS_ON_ROLLUPS } from './mcl.ts'
import { openNumbers } from './numbers.ts'
import { openBls12381, openBn254 } from './points.ts'

/** Arithmetic of the precompiles whose gas and checks stay with @ethereumjs/evm; its functions are there once loaded. */
export const lazyBn254 = {} as EVMBN254Interface
export const lazyBls = {} as EVMBLSInterface

const bn254 = loadOnce(async () => Object.assign(lazyBn254, await openBn254()))
const bls12381 = loadOnce(async () => {
  const { bls, verifyProof } = await openBls12381()
  Object.assign(lazyBls, bls)
  return verifyProof
})
const p256 = loadOnce(openP256)
const numbers = loadOnce(openNumbers)

/** A precompile that first loads what it needs. */
function withPart<Part>(part: () => Later<Part>, choose: (part: Part) => Precompile): Precompile {
  return (input) => andThen(part(), (loaded) => choose(loaded)(input))
}

type Replace = (own: Precompile) => Precompile

const onBn254: Replace = (own) => withPart(bn254, () => own)
const onBls12381: Replace = (own) => withPart(bls12381, () => own)

const P256 = 0x100
const PAIRING = 0x08
const PAIR_BYTES = 192

/** The pairing check with geth's word for a length that is no number of pairs, after the gas of the whole ones. */
function withWholePairs(own: Precompile): Precompile {
  return (input) => {
    const { data, gasLimit, common } = input
    if (data.length % PAIR_BYTES === 0) return own(input)
    const pairs = BigInt(Math.floor(data.length / PAIR_BYTES))
    const gas = common.param('bn254PairingGas') + pairs * common.param('bn254PairingWordGas')
    return gasLimit < gas ? outOfGas(gasLimit) : failed(gasLimit, 'bad elliptic curve pairing size')
  }
}

const REPLACEMENTS: ReadonlyMap<number, Replace> = new Map([
  [0x05, () => withPart(numbers, ({ modexp }) => modexp)],
  ...[0x06, 0x07].map((address) => [address, onBn254] as const),
  [PAIRING, (own) => withWholePairs(onBn254(own))],
  [0x09, () => withPart(numbers, ({ blake2f }) => blake2f)],
  [0x0a, () => withPart(bls12381, pointEvaluation)],
  ...[0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11].map((address) => [address, onBls12381] as const),
  [P256, () => withPart(p256, (at) => at(P256_GAS))],
])

function addressOf(number: number): string {
  return number.toString(16).padStart(40, '0')
}

/** Replaces a precompile, if the fork has it. */
function replace(precompiles: Map<string, Precompile>, number: number, by: Replace): void {
  const own = precompiles.get(addressOf(number))
  if (own !== undefined) precompiles.set(addressOf(number), by(own))
}

/** op-geth's words for an input that is too long (core/vm/contracts.go). */
const TOO_LONG: ReadonlyMap<number, string> = new Map([
  [PAIRING, 'bad elliptic curve pairing input size'],
  [0x0c, 'g1 msm input size exceeds maximum'],
  [0x0e, 'g2 msm input size exceeds maximum'],
  [0x0f, 'pairing input size exceeds maximum'],
])

/** A precompile that takes all gas for an input that is too long, as for any that it refuses. */
function withLimit(own: Precompile, most: number, words: string): Precompile {
  return (input) => (input.data.length > most ? failed(input.gasLimit, words) : own(input))
}

function installRollupPrecompiles(rules: Rules, precompiles: Map<string, Precompile>): void {
  const { precompiles: added, inputLimits } = rules.rollup?.changes ?? {}
  if (added?.includes('P256VERIFY') && !isForkActive(rules, 'osaka'))
    precompiles.set(
      addressOf(P256),
      withPart(p256, (at) => at(P256_GAS_ON_ROLLUPS)),
    )
  for (const [number, most] of Object.entries(inputLimits ?? {}))
    replace(precompiles, Number(number), (own) =>
      withLimit(own, most, TOO_LONG.get(Number(number)) as string),
    )
}

/** Replaces the precompiles that a fork has, and adds those of a rollup's stack. */
export function installPrecompiles(rules: Rules, precompiles: Map<string, Precompile>): void {
  for (const [number, by] of REPLACEMENTS) replace(precompiles, number, by)
  installRollupPrecompiles(rules, precompiles)
}

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
