// The precompiles that @ethereumjs/evm computes too slowly for their gas, replaced by faster ones. Their WebAssembly is
// loaded with the first call. docs/decisions/0020-fast-precompiles.md has the measurements.

import type { EVMBLSInterface, EVMBN254Interface } from '@ethereumjs/evm'
import type { Precompile } from '../../interpreter/evm-interface.ts'
import { andThen, type Later } from '../../primitives/later.ts'
import { loadOnce } from '../../primitives/loading.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { openBls12381 } from './bls12-381.ts'
import { openBn254 } from './bn254.ts'
import { failed, outOfGas } from './failures.ts'
import { pointEvaluation } from './kzg.ts'
import { openNumbers } from './numbers.ts'
import { openP256, P256_GAS, P256_GAS_ON_ROLLUPS } from './p256.ts'

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
  for (const [key, most] of Object.entries(inputLimits ?? {})) {
    const number = Number(key)
    const own = precompiles.get(addressOf(number)) as Precompile
    precompiles.set(addressOf(number), withLimit(own, most, TOO_LONG.get(number) as string))
  }
}

/** Replaces the precompiles that a fork has, and adds those of a rollup's stack. */
export function installPrecompiles(rules: Rules, precompiles: Map<string, Precompile>): void {
  for (const [number, replace] of REPLACEMENTS) {
    const own = precompiles.get(addressOf(number))
    if (own !== undefined) precompiles.set(addressOf(number), replace(own))
  }
  installRollupPrecompiles(rules, precompiles)
}
