// Expected bytes are put together by hand from the formats in OP specs, Derivation, or by viem's RLP and node's zlib.
import { deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { concatHex, type Hex, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { bytesToHex, concatBytes, hexToBytes } from '../../../src/core/primitives/hex.ts'
import {
  type Batch,
  decodeBatches,
  decodeChannel,
  decodeFrames,
  encodeBatch,
  encodeChannel,
  frameTransactions,
} from '../../../src/tools/pair/batches.ts'

const PARENT: Hex = `0x${'11'.repeat(32)}`
const EPOCH: Hex = `0x${'22'.repeat(32)}`

const BATCH: Batch = {
  parentHash: PARENT,
  epochNumber: 300,
  epochHash: EPOCH,
  timestamp: 0x65920080,
  transactions: [hexToBytes('0x02c0'), hexToBytes(`0xf8${'33'.repeat(60)}`)],
}
const EMPTY: Batch = { ...BATCH, epochNumber: 0, transactions: [] }

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): Hex => bytesToHex(bytes))

const ENCODED = toRlp(
  concatHex(['0x00', toRlp([PARENT, '0x012c', EPOCH, '0x65920080', ['0x02c0', `0xf8${'33'.repeat(60)}`]])]),
)

describe('a batch', () => {
  test('is an RLP string of version 0 and a list', () => {
    expect(bytesToHex(encodeBatch(BATCH))).toBe(ENCODED)
  })

  test('is read back, with those that follow', () => {
    expect(decodeBatches(concatBytes(encodeBatch(BATCH), encodeBatch(EMPTY)))).toEqual([BATCH, EMPTY])
  })

  test.each<[string, Hex]>([
    ['a span batch', toRlp('0x0102')],
    ['a list in place of a string', toRlp(['0x00'])],
    ['a field too few', toRlp(concatHex(['0x00', toRlp([PARENT, '0x01', EPOCH, '0x01'])]))],
    ['a short hash', toRlp(concatHex(['0x00', toRlp(['0x11', '0x01', EPOCH, '0x01', []])]))],
    [
      'a number with a leading zero',
      toRlp(concatHex(['0x00', toRlp([PARENT, '0x0001', EPOCH, '0x01', []])])),
    ],
    ['a list as transaction', toRlp(concatHex(['0x00', toRlp([PARENT, '0x01', EPOCH, '0x01', [['0x01']]])]))],
  ])('ends what is read: %s', (_name, bytes) => {
    const all = concatBytes(encodeBatch(EMPTY), hexToBytes(bytes), encodeBatch(EMPTY))
    expect(decodeBatches(all)).toEqual([EMPTY])
  })
})

test('a batch that is cut off is none', () => {
  const all = concatBytes(encodeBatch(EMPTY), encodeBatch(BATCH).subarray(0, -1))
  expect(decodeBatches(all)).toEqual([EMPTY])
})

describe('a channel', () => {
  test('is zlib over its batches', () => {
    const inflated = inflateSync(encodeChannel([BATCH, EMPTY]))
    expect(Uint8Array.from(inflated)).toEqual(concatBytes(encodeBatch(BATCH), encodeBatch(EMPTY)))
  })

  test('is read back, from any zlib', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...BATCH, epochNumber: index }))
    expect(decodeChannel(encodeChannel(many), 10 ** 6)).toEqual(many)
    const deflated = deflateSync(concatBytes(...many.map(encodeBatch)), { level: 9 })
    expect(decodeChannel(Uint8Array.from(deflated), 10 ** 6)).toEqual(many)
  })

  test('is read the same, whether it was encoded here just now or by somebody else', { tags: 'gate' }, () => {
    const random = fc.sample(
      fc.array(
        fc.record({
          parentHash: hash,
          epochNumber: fc.nat(),
          epochHash: hash,
          timestamp: fc.nat(),
          transactions: fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 40 },
      ),
      { seed: 20261122, numRuns: 30 },
    )
    for (const batches of random) {
      const channel = encodeChannel(batches)
      const limits = [10 ** 6, concatBytes(...batches.map(encodeBatch)).length - 1]
      const known = limits.map((limit) => decodeChannel(channel.slice(), limit))
      // Encoded by node: other bytes, which nobody has encoded here.
      const foreign = Uint8Array.from(deflateSync(concatBytes(...batches.map(encodeBatch)), { level: 1 }))
      expect(known).toEqual(limits.map((limit) => decodeChannel(foreign, limit)))
      expect(known).toEqual([batches, batches.slice(0, -1)])
      const damaged = channel.with(channel.length >> 1, 0xff ^ (channel[channel.length >> 1] as number))
      expect(decodeChannel(damaged, 10 ** 6)).not.toBe(known[0])
    }
  })

  test('counts up to damage, or up to the limit', { tags: 'gate' }, () => {
    const noise = (index: number) =>
      Uint8Array.from({ length: 1000 }, (_, at) => (at * at * 7 + index * 31 + ((at * index) >> 3)) & 0xff)
    const many = Array.from({ length: 300 }, (_, index) => ({ ...BATCH, transactions: [noise(index)] }))
    const channel = encodeChannel(many)
    const read = decodeChannel(channel.subarray(0, channel.length >> 1), 10 ** 7)
    expect(read.length).toBeGreaterThan(0)
    expect(read).toEqual(many.slice(0, read.length))
    expect(read.length).toBeLessThan(many.length)
    const [first = BATCH] = many
    expect(decodeChannel(channel, 2 * encodeBatch(first).length)).toEqual(many.slice(0, 2))
  })

  test('of another compression is empty', () => {
    expect(decodeChannel(hexToBytes('0x01ffff'), 1000)).toEqual([])
    expect(decodeChannel(new Uint8Array(0), 1000)).toEqual([])
  })
})

describe('frames', () => {
  const id: Hex = '0x000102030405060708090a0b0c0d0e0f'

  test('are id, number, length, data and a flag, after a version', () => {
    const [only] = frameTransactions(id, hexToBytes('0xaabbcc'), 1000)
    expect(bytesToHex(only!)).toBe(`0x00${id.slice(2)}000000000003aabbcc01`)
  })

  test('cut a channel so that no transaction is above its size', () => {
    const channel = Uint8Array.from({ length: 1000 }, (_, index) => index & 0xff)
    const inputs = frameTransactions(id, channel, 124)
    expect(inputs.map(({ length }) => length)).toEqual(Array(10).fill(124))
    const frames = inputs.flatMap((input) => decodeFrames(input))
    expect(frames.map(({ number, isLast }) => [number, isLast])).toEqual(
      Array.from({ length: 10 }, (_, number) => [number, number === 9]),
    )
    expect(concatBytes(...frames.map(({ data }) => data))).toEqual(channel)
  })

  test('may stand together in one transaction', () => {
    const [one, two] = frameTransactions(id, new Uint8Array(30), 24 + 15)
    expect(decodeFrames(concatBytes(one!, two!.subarray(1)))).toHaveLength(2)
  })

  test.each<[string, Hex]>([
    ['no input', '0x'],
    ['another version', `0x01${id.slice(2)}00000000000001`],
    ['a head that is cut off', `0x00${id.slice(2)}0000`],
    ['data that is cut off', `0x00${id.slice(2)}000000000002aa`],
    ['a flag that is none', `0x00${id.slice(2)}00000000000002`],
    ['a second frame that is none', `0x00${id.slice(2)}00000000000001ff`],
  ])('are none in %s', (_name, input) => {
    expect(decodeFrames(hexToBytes(input))).toEqual([])
  })
})
