import { describe, expect, test } from 'vitest'
import { type BombDelay, nextDifficulty } from '../../../src/core/rollup/difficulty.ts'
import type { Hardfork } from '../../../src/core/rollup/hardforks.ts'
import { makeRules } from '../../../src/core/rollup/rules.ts'

interface Vector {
  readonly name: string
  readonly number: number
  readonly parent: { readonly difficulty: bigint; readonly timestamp: number; readonly hasUncles?: boolean }
  readonly timestamp: number
  readonly difficulty: bigint
}

function check(hardfork: Hardfork, delays: readonly BombDelay[], vector: Vector): void {
  const { difficulty, timestamp, hasUncles = false } = vector.parent
  const parent = { number: vector.number - 1, timestamp, difficulty, hasUncles }
  expect(nextDifficulty(makeRules(1, hardfork), delays, parent, vector.timestamp)).toBe(vector.difficulty)
}

/** A vector of ethereum/tests, in its columns: number, difficulty, time, parent's difficulty, time and uncles. */
function recorded(
  name: string,
  [number, difficulty, timestamp, parentDifficulty, parentTimestamp, uncles]: readonly [
    ...(readonly [number, bigint, number, bigint, number, 0 | 1]),
  ],
): Vector {
  const parent = { difficulty: parentDifficulty, timestamp: parentTimestamp, hasUncles: uncles === 1 }
  return { name, number, parent, timestamp, difficulty }
}

describe('frontier: a 2048th up within 13 seconds, else down, and the bomb', () => {
  test.each<Vector>([
    // The first two blocks of Ethereum.
    {
      name: 'block 1',
      number: 1,
      parent: { difficulty: 17_179_869_184n, timestamp: 0 },
      timestamp: 1_438_269_988,
      difficulty: 17_171_480_576n,
    },
    {
      name: 'block 2',
      number: 2,
      parent: { difficulty: 17_171_480_576n, timestamp: 1_438_269_988 },
      timestamp: 1_438_270_017,
      difficulty: 17_163_096_064n,
    },
    // ethereum/tests, dfFrontier
    recorded('130', [0x30d400, 0x0af2e35388856305n, 0x64a720798, 0x0af18522a430dcean, 0x64a720796, 0]),
    recorded('1324', [0x0186a0, 0x4231303d6a7d3052n, 0x59ee3409e, 0x4239776c58083158n, 0x59ee34084, 1]),
    recorded('1323', [0x4ac4a0, 0x34557f952e4ca2c3n, 0x5762d24e5, 0x345b8b068f1e8693n, 0x5762d24cb, 0]),
    // 12 seconds are fewer than 13: 131,072 + 64.
    {
      name: '12 seconds',
      number: 1,
      parent: { difficulty: 131_072n, timestamp: 0 },
      timestamp: 12,
      difficulty: 131_136n,
    },
    {
      name: 'the least',
      number: 1,
      parent: { difficulty: 131_072n, timestamp: 0 },
      timestamp: 13,
      difficulty: 131_072n,
    },
  ])('$name', (vector) => check('chainstart', [], vector))
})

describe('homestead (EIP-2): by how many tens of seconds', () => {
  test.each<Vector>([
    // ethereum/tests, dfHomestead
    recorded('130', [0x30d400, 0x56319eec9fb77447n, 0x725327222, 0x5626da111d93c1cfn, 0x725327220, 0]),
    recorded('1323', [0x4ac4a0, 0x579eff6e6dd05ae4n, 0x599d56e37, 0x57a9749d017088f5n, 0x599d56e1d, 0]),
    recorded('1325', [0x030d40, 0x35c5647506944575n, 0xf7514864, 0x35cc1df8c5acfb13n, 0xf751484a, 1]),
    // 99 steps of 2^40 / 2048 = 2^29 at most.
    {
      name: 'a day',
      number: 1,
      parent: { difficulty: 2n ** 40n, timestamp: 0 },
      timestamp: 86_400,
      difficulty: 2n ** 40n - 99n * 2n ** 29n,
    },
  ])('$name', (vector) => check('homestead', [], vector))
})

describe('byzantium (EIP-100): by nines of seconds and uncles, the bomb set back by 3,000,000 (EIP-649)', () => {
  test.each<Vector>([
    // ethereum/tests, dfByzantium
    recorded('100', [0x030d40, 0x232acea7409ba167n, 0x65183a26d, 0x232669da055af609n, 0x65183a26b, 0]),
    recorded('1029', [0x4ac4a0, 0x71f45909d6852d50n, 0x75226c151, 0x7202995d022371ben, 0x75226c13d, 0]),
    recorded('1030', [0x0186a0, 0x1b4780a170e725e9n, 0xfb02a4fa, 0x1b4780a170e725e9n, 0xfb02a4e6, 1]),
  ])('$name', (vector) => check('byzantium', [{ block: 0, delay: 3_000_000 }], vector))
})

test('constantinople: 5,000,000 (EIP-1234)', () => {
  // ethereum/tests, dfConstantinople
  const vector = recorded('1421', [
    0x4ac4a0,
    0x65b068994b638846n,
    0xdb02c061,
    0x65c9db100f67621en,
    0xdb02c045,
    0,
  ])
  check(
    'constantinople',
    [
      { block: 0, delay: 3_000_000 },
      { block: 0, delay: 5_000_000 },
    ],
    vector,
  )
})

describe('muir glacier: 9,000,000 (EIP-2384)', () => {
  test.each<Vector>([
    // ethereum/tests, dfEIP2384
    recorded('10005684', [0x98acb4, 0x5bba1f16e781d5cfn, 0x2feb1c2c, 0x5baea941bf49eb92n, 0x2feb1c22, 1]),
    recorded('10219102', [0x9bee5e, 0x1012714f7c7f3a79n, 0xe57eeb97, 0x1012714f7c7f3679n, 0xe57eeb87, 0]),
    recorded('10557335', [0xa11797, 0x12f131a78fadabf0n, 0x6dc36f6, 0x12f131a78fad8bf0n, 0x6dc36dd, 1]),
  ])('$name', (vector) => check('berlin', [{ block: 9_200_000, delay: 9_000_000 }], vector))
})

describe('arrow glacier: 10,700,000 (EIP-4345)', () => {
  test.each<Vector>([
    // ethereum/tests, dfArrowGlacier
    recorded('ForkBlock-0', [0xd228c8, 0x250e55b8064c9bn, 1, 0x2509b471781d98n, 0, 0]),
    recorded('ForkBlock-101', [0xd228c8, 0x2509b481781d98n, 0x13, 0x2509b471781d98n, 0, 1]),
    recorded('FromLondon-130', [
      0xd731d8,
      0x10300f843b55f5a0e9dfn,
      0x62194c0b,
      0x10300f843b54f5a0e9dfn,
      0x62194c02,
      0,
    ]),
  ])('$name', (vector) =>
    check(
      'london',
      [
        { block: 0, delay: 9_700_000 },
        { block: 13_773_000, delay: 10_700_000 },
      ],
      vector,
    ),
  )
})

test.each([
  ['london, EIP-3554', 9_700_000],
  ['gray glacier, EIP-5133', 11_400_000],
] as const)('%s: the bomb is 2 in the third period after %i', (_, delay) => {
  // 9 seconds without uncles change nothing, and 300,000 blocks after the delay it is 2^(3 − 2).
  const parent = { difficulty: 2n ** 40n, timestamp: 0 }
  check('london', [{ block: 0, delay }], {
    name: '',
    number: delay + 300_000,
    parent,
    timestamp: 9,
    difficulty: 2n ** 40n + 2n,
  })
  check('london', [{ block: 0, delay }], {
    name: '',
    number: delay + 199_999,
    parent,
    timestamp: 9,
    difficulty: 2n ** 40n,
  })
})

test('a delay holds from its block on', () => {
  const delays = [
    { block: 0, delay: 0 },
    { block: 400_000, delay: 400_000 },
  ]
  const parent = { difficulty: 2n ** 40n, timestamp: 0 }
  // 399,999 / 100,000 − 2 = 1; at 400,000 nothing is left of it.
  check('byzantium', delays, { name: '', number: 399_999, parent, timestamp: 9, difficulty: 2n ** 40n + 2n })
  check('byzantium', delays, { name: '', number: 400_000, parent, timestamp: 9, difficulty: 2n ** 40n })
})
