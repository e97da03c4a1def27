// Scenes in links.

import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOf, LinkError, MOST_BYTES, sourceOf } from '../../site/playground/scene.ts'
import { scaled } from '../size.ts'

const linkTo = (bytes: Uint8Array): string => `#scene=${Buffer.from(bytes).toString('base64url')}`

test('a link carries any source', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 2000 }), async (source) => {
      const hash = await hashOf(source)
      expect(hash).toMatch(/^#scene=[\w-]+$/)
      expect(await sourceOf(hash)).toBe(source)
    }),
    { seed: 17, numRuns: scaled(50) },
  )
})

test('a link is deflate of RFC 1950, as base64url', async () => {
  expect(await sourceOf(linkTo(deflateSync("console.log('é')")))).toBe("console.log('é')")
})

test.each(['', '#', '#example=hello', '#some-heading'])('"%s" names no scene', async (hash) => {
  expect(await sourceOf(hash)).toBe(undefined)
})

const good = linkTo(deflateSync('const answer = 42 // a scene'))

test.each([
  ['empty', '#scene='],
  ['cut off', good.slice(0, -4)],
  ['altered', good.replace(/.{3}$/, 'AAA')],
  ['no base64', '#scene=%%%'],
  ['no deflate', '#scene=aGVsbG8'],
  ['no text', linkTo(deflateSync(new Uint8Array([0xff, 0xfe])))],
])('a link that is %s is told so', async (_, hash) => {
  await expect(sourceOf(hash)).rejects.toThrow(
    new LinkError('This link carries no scene: it has been cut off or altered.'),
  )
})

test('a scene has a longest size, also when it comes from a small link', { tags: 'gate' }, async () => {
  const longest = 'x'.repeat(MOST_BYTES)
  expect(await sourceOf(await hashOf(longest))).toBe(longest)
  const error = new LinkError('The scene is longer than 64000 bytes.')
  await expect(hashOf(`${longest}x`)).rejects.toThrow(error)
  await expect(sourceOf(linkTo(deflateSync('x'.repeat(50_000_000))))).rejects.toThrow(error)
})
