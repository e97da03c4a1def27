import { expect, test } from 'vitest'
import { decodeCodeMap } from '../../../../src/tools/solidity/model/code-map.ts'
import { sourceFile } from '../../../../src/tools/solidity/model/source.ts'

const file = sourceFile('a.sol', 'one\ntwo\nthree\n', undefined)
const sources = new Map([[3, file]])
// PUSH1 0x5b, JUMP, JUMPDEST, JUMPI, STOP, INVALID, data.
const code = Uint8Array.of(0x60, 0x5b, 0x56, 0x5b, 0x57, 0x00, 0xfe, 0x5b)

/** Decoded by the description of source mappings in Solidity's documentation. */
test('an empty field repeats the one before', () => {
  const map = decodeCodeMap(code, '4:3:3:-;:::i;8:5;;:::-', sources, 'deployed')
  const places = map.instructions.map(({ pc, jump, location }) => [pc, jump, location?.start, location?.end])
  expect(places).toEqual([
    [0, 'none', 4, 7],
    [2, 'into', 4, 7],
    [3, 'into', 8, 13],
    [4, 'into', 8, 13],
    [5, 'none', 8, 13],
  ])
  expect(map.at(0)?.location).toBe(map.at(2)?.location)
})

test('there is no instruction in the data of a PUSH, and none beyond the map', () => {
  const map = decodeCodeMap(code, '4:3:3:-;;;', sources, 'deployed')
  expect(map.at(1)).toBeUndefined()
  expect(map.at(5)).toBeUndefined()
  expect(map.at(4)?.jump).toBe('internal')
})

test('a file that is not there is no place, as is -1', () => {
  const map = decodeCodeMap(code, '4:3:-1:-;0:1:9;0:1:3', sources, 'deployed')
  expect(map.instructions.map(({ location }) => location?.start)).toEqual([undefined, undefined, 0])
})

test('a first entry without all fields is no place', () => {
  const map = decodeCodeMap(code, '4:3;4:3:3:-', sources, 'deployed')
  expect(map.instructions.map(({ location }) => location?.start)).toEqual([undefined, 4])
})

test('the instructions of creation code go on to INVALID without a place', () => {
  const map = decodeCodeMap(code, '4:3:3:-;', sources, 'creation')
  expect(map.instructions.map(({ pc, location }) => [pc, location?.start])).toEqual([
    [0, 4],
    [2, 4],
    [3, undefined],
    [4, undefined],
    [5, undefined],
  ])
})

test('a map that is longer than its code ends with it', () => {
  expect(decodeCodeMap(Uint8Array.of(0), '0:1:3:-;;;', sources, 'deployed').instructions).toHaveLength(1)
})
