// Cheatcodes of randomness, which is all from the seed.

import { bytesToHex, type Hex } from '../../core/primitives/hex.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { drawBytes, randomWord } from './random.ts'

function ofBits(run: CheatExecution, bits: bigint): bigint {
  if (bits > 256n) refuseWith('number of bits cannot exceed 256')
  return BigInt.asUintN(Number(bits), randomWord(run))
}

function between(run: CheatExecution, least: bigint, most: bigint): bigint {
  if (least > most) refuseWith('min must be less than or equal to max')
  return least + (randomWord(run) % (most - least + 1n))
}

/** A stream of a test can have no more bytes at once. */
const MOST_BYTES = 1n << 24n

function bytes(run: CheatExecution, length: bigint): Hex {
  if (length > MOST_BYTES) refuseWith(`length must not exceed ${MOST_BYTES}`)
  return bytesToHex(drawBytes(run, Number(length)))
}

type Bounds = [value: bigint, least: bigint, most: bigint]

/** Another value between bounds, between which the given one has to be. */
function bounded(run: CheatExecution, ...[value, least, most]: Bounds): bigint {
  if (value < least || value > most) refuseWith(`cannot bound ${value} in [${least}, ${most}] range`)
  if (least === most) return value
  const other = between(run, least, most - 1n)
  return other < value ? other : other + 1n
}

/** Apart, since a function of platforms has the whole name. */
const BYTES = 'Bytes'

export const RANDOM_CHEATCODES: Cheatcodes = {
  'randomUint() returns (uint256)': randomWord,
  'randomUint(uint256) returns (uint256)': ofBits,
  'randomUint(uint256,uint256) returns (uint256)': between,
  'randomInt() returns (int256)': (run) => BigInt.asIntN(256, randomWord(run)),
  'randomInt(uint256) returns (int256)': (run, bits: bigint) =>
    BigInt.asIntN(Number(bits), ofBits(run, bits)),
  'randomAddress() returns (address)': (run) => bytesToHex(drawBytes(run, 20)),
  'randomBool() returns (bool)': (run) => (drawBytes(run, 1)[0] as number) >= 128,
  [`random${BYTES}(uint256) returns (bytes)`]: bytes,
  [`random${BYTES}4() returns (bytes4)`]: (run) => bytes(run, 4n),
  [`random${BYTES}8() returns (bytes8)`]: (run) => bytes(run, 8n),
  'setSeed(uint256)': (run, seed: bigint) => run.change({ random: { seed, taken: 0 } }),
  'shuffle(uint256[]) returns (uint256[])': (run, values: readonly bigint[]) => {
    const shuffled = [...values]
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = Number(between(run, 0n, BigInt(last)))
      ;[shuffled[last], shuffled[other]] = [shuffled[other] as bigint, shuffled[last] as bigint]
    }
    return shuffled
  },
  'bound(uint256,uint256,uint256) returns (uint256)': bounded,
  'bound(int256,int256,int256) returns (int256)': bounded,
}
