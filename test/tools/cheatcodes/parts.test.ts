// Parts of cheatcodes by themselves: values in texts, JSON and its paths, randomness, structs.

import { describe, expect, test } from 'vitest'
import { parseJson, putJson, writeJson, writeToml } from '../../../src/tools/cheatcodes/json.ts'
import { select } from '../../../src/tools/cheatcodes/json-paths.ts'
import { draw } from '../../../src/tools/cheatcodes/random.ts'
import { describedType } from '../../../src/tools/cheatcodes/struct-types.ts'
import { parseValue } from '../../../src/tools/cheatcodes/values.ts'

test.each([
  ['420', 'uint256', 420n],
  ['0x1A4', 'uint256', 420n],
  ['74258.225772486694040708e18', 'uint256', 74258225772486694040708n],
  ['1.5 ether', 'uint256', 15n * 10n ** 17n],
  ['-12', 'int256', -12n],
  ['TRUE', 'bool', true],
  ['0', 'bool', false],
  ['0xAbcd', 'bytes', '0xabcd'],
  ['7109709ECfa91a80626fF3989D68f67F5b1DD12D', 'address', '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d'],
])('%s as %s', (text, type, value) => {
  expect(parseValue(text, type)).toBe(value)
})

test.each([
  // The words are forge's.
  ['abcd', 'uint256', 'failed parsing "abcd" as type `uint256`: missing hex prefix ("0x") for hex string'],
  [
    '-1',
    'uint256',
    'failed parsing "-1" as type `uint256`: parser error:\n-1\n^\nexpected at least one digit',
  ],
  [
    '1.5',
    'uint256',
    'failed parsing "1.5" as type `uint256`: parser error:\n1.5\n   ^\nnon-zero fraction .5 not allowed',
  ],
  ['256', 'uint8', 'failed parsing "256" as type `uint8`: missing hex prefix ("0x") for hex string'],
  [
    '0x12',
    'address',
    'failed parsing "0x12" as type `address`: parser error:\n0x12\n^\ninvalid string length',
  ],
])('%s is no %s', (text, type, reason) => {
  expect(() => parseValue(text, type)).toThrow(expect.objectContaining({ reason }))
})

describe('JSON', () => {
  const text =
    '{"b":{"2":[1,2.50,{"x":"y\\"1"}]},"a":115792089237316195423570985008687907853269984665640564039457584007913129639935,"10":-0}'

  test('numbers stay as they are written, and keys in their order', () => {
    // As in forge, whose zero has no sign.
    expect(writeJson(parseJson(text))).toBe(text.replace('-0', '0'))
  })

  test.each([
    ['.b.2[2].x', ['"y\\"1"']],
    ['$["b"]["2"][-3]', ['1']],
    ['.b.2[*]', ['1', '2.50', '{"x":"y\\"1"}']],
    ['$..x', ['"y\\"1"']],
    ['.none', []],
  ])('%s selects', (path, values) => {
    expect(select(parseJson(text), path).map((value) => writeJson(value))).toEqual(values)
  })

  test('a key that is not there is made', () => {
    expect(writeJson(putJson(parseJson('{"a":1}'), '.b.c', true))).toBe('{"a":1,"b":{"c":true}}')
    expect(writeJson(putJson(parseJson('{"a":[1,2]}'), '.a[1]', null))).toBe('{"a":[1,2],"a[1]":null}')
  })

  test.each(['{"a":01}', '{a:1}', '[1,]'])('%s is refused', (bad) => {
    expect(() => parseJson(bad)).toThrow(
      expect.objectContaining({ reason: expect.stringMatching(/^failed parsing JSON/) }),
    )
  })
})

test('randomness is the stream of ChaCha20', () => {
  // Foundry's tests of arbitrary storage expect the second word of seed 100, read from the lowest byte.
  const [, after] = draw({ seed: 100n, taken: 0 }, 32)
  const [bytes] = draw(after, 32)
  expect(BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)).toBe(
    112807530564575719000382171275495171195982096112439764207649185248041477080234n,
  )
})

test('a struct is described as EIP-712 does', () => {
  expect(describedType('Outer(Inner[] list,string name)Inner(uint8 small,bytes4 selector)').canonical).toBe(
    '((uint8,bytes4)[],string)',
  )
  expect(describedType('uint256[2]').canonical).toBe('uint256[2]')
})

// Recorded from forge 1.7.1.
test.each([
  ['{"o":{"x":1},"n":2}', 'n = 2\n\n[o]\nx = 1\n'],
  ['{"a":[1],"b":[1,[2,3]],"c":[]}', 'a = [1]\nb = [\n    1,\n    [\n    2,\n    3,\n],\n]\nc = []\n'],
  [
    '{"a":[{"b":1},{"b":2}],"c":[{"b":1},2]}',
    'c = [\n    { b = 1 },\n    2,\n]\n\n[[a]]\nb = 1\n\n[[a]]\nb = 2\n',
  ],
  ['{"a":{"b":{"c":1}},"e":{}}', '[a.b]\nc = 1\n\n[e]\n'],
  [
    '{"a":"two\\nlines","b":"q\\"uote","c":"it\'s","d":"back\\\\slash"}',
    'a = """\ntwo\nlines"""\nb = \'q"uote\'\nc = "it\'s"\nd = \'back\\slash\'\n',
  ],
  [
    '{"a":1.5,"b":1e3,"c":1e30,"d":1e-7,"e":-0.5,"f":18446744073709551616}',
    'a = 1.5\nb = 1000.0\nc = 1000000000000000000000000000000.0\nd = 0.0000001\ne = -0.5\nf = 18446744073709552000.0\n',
  ],
  ['{"a b":1,"":true,"n":null}', '"a b" = 1\n"" = true\nn = "null"\n'],
])('%s as TOML', (json, toml) => {
  expect(writeToml(parseJson(json))).toBe(toml)
})

test.each([
  ['5', 'i64'],
  ['"x"', 'str'],
  ['[1]', 'array'],
])('%s is no TOML', (json, type) => {
  const reason = `failed to serialize TOML: unsupported ${type} type`
  expect(() => writeToml(parseJson(json))).toThrow(expect.objectContaining({ reason }))
})
