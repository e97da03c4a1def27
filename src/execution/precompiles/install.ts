// The precompiles that @ethereumjs/evm computes too slowly for their gas, replaced by faster ones. Their WebAssembly is
// loaded with the first call. docs/decisions/0020-fast-precompiles.md has the measurements.

import type { EVM, EVMBLSInterface, EVMBN254Interface, PrecompileFunc } from '@ethereumjs/evm'
import { load } from '../../primitives/loading.ts'
import { type Bls12381, openBls12381 } from './bls12-381.ts'
import { openBn254 } from './bn254.ts'
import type { VerifyProof } from './kzg.ts'
import { openNumbers } from './numbers.ts'
import { openP256 } from './p256.ts'

/** A part that is loaded with its first use, once for the process. */
interface Lazy<Part> {
  part: Part | undefined
  readonly open: () => Promise<Part>
}

function lazy<Part>(open: () => Promise<Part>): Lazy<Part> {
  return { part: undefined, open }
}

const bn254 = lazy(openBn254)
const bls12381 = lazy<Bls12381>(openBls12381)
const p256 = lazy(openP256)
const numbers = lazy(openNumbers)

function partOf<Part>({ part }: Lazy<Part>): Part {
  if (part === undefined) throw new Error('its precompile has not loaded it')
  return part
}

/** A precompile that first loads what it needs. */
function withPart<Part>(needed: Lazy<Part>, choose: (part: Part) => PrecompileFunc): PrecompileFunc {
  return (input) => {
    if (needed.part !== undefined) return choose(needed.part)(input)
    return load(needed.open()).then((part) => {
      needed.part ??= part
      return choose(needed.part)(input)
    })
  }
}

/** The arithmetic of the precompiles whose gas and checks stay with @ethereumjs/evm. */
export const lazyBn254: EVMBN254Interface = {
  add: (input) => partOf(bn254).add(input),
  mul: (input) => partOf(bn254).mul(input),
  pairing: (input) => partOf(bn254).pairing(input),
}

export const lazyBls: EVMBLSInterface = {
  addG1: (input) => partOf(bls12381).bls.addG1(input),
  addG2: (input) => partOf(bls12381).bls.addG2(input),
  msmG1: (input) => partOf(bls12381).bls.msmG1(input),
  msmG2: (input) => partOf(bls12381).bls.msmG2(input),
  mapFPtoG1: (input) => partOf(bls12381).bls.mapFPtoG1(input),
  mapFP2toG2: (input) => partOf(bls12381).bls.mapFP2toG2(input),
  pairingCheck: (input) => partOf(bls12381).bls.pairingCheck(input),
}

export const verifyKzgProof: VerifyProof = (commitment, z, y, proof) =>
  partOf(bls12381).verifyProof(commitment, z, y, proof)

type Replace = (own: PrecompileFunc) => PrecompileFunc

const onBn254: Replace = (own) => withPart(bn254, () => own)
const onBls12381: Replace = (own) => withPart(bls12381, () => own)

const REPLACEMENTS: ReadonlyMap<number, Replace> = new Map([
  [0x05, () => withPart(numbers, ({ modexp }) => modexp)],
  ...[0x06, 0x07, 0x08].map((address) => [address, onBn254] as const),
  [0x09, () => withPart(numbers, ({ blake2f }) => blake2f)],
  ...[0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11].map((address) => [address, onBls12381] as const),
  [0x100, () => withPart(p256, (verify) => verify)],
])

/** Replaces the precompiles that the fork of `evm` has. */
export function installPrecompiles({ precompiles }: EVM): void {
  for (const [number, replace] of REPLACEMENTS) {
    const address = number.toString(16).padStart(40, '0')
    const own = precompiles.get(address)
    if (own !== undefined) precompiles.set(address, replace(own))
  }
}
