// Scenes in links: the source, compressed, in the part of the address that no server sees.

const SCENE = 'scene='

/** The longest source that a link carries, in bytes. */
export const MOST_BYTES = 64_000

/** A link that carries no scene. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
}

/** What a stream gives, up to a number of bytes. */
async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      await reader.cancel()
      throw new LinkError(`The scene is longer than ${most} bytes.`)
    }
    chunks.push(new Uint8Array(value))
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** Deflate with a checksum (RFC 1950), so that an altered link is noticed. */
function through(
  bytes: Uint8Array<ArrayBuffer>,
  format: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  return collect(new Blob([bytes]).stream().pipeThrough(format), most)
}

/** The hash of a link to this source. */
export async function hashOf(source: string): Promise<string> {
  const bytes = new TextEncoder().encode(source)
  if (bytes.length > MOST_BYTES) throw new LinkError(`The scene is longer than ${MOST_BYTES} bytes.`)
  const packed = await through(bytes, new CompressionStream('deflate'), Number.POSITIVE_INFINITY)
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
  return `#${SCENE}${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** The source that a hash carries; undefined if it is none of a scene. */
export async function sourceOf(hash: string): Promise<string | undefined> {
  const text = hash.replace(/^#/, '')
  if (!text.startsWith(SCENE)) return undefined
  try {
    const packed = atob(text.slice(SCENE.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0))
    const source = await through(bytes, new DecompressionStream('deflate'), MOST_BYTES)
    return new TextDecoder('utf-8', { fatal: true }).decode(source)
  } catch (cause) {
    if (cause instanceof LinkError) throw cause
    throw new LinkError('This link carries no scene: it has been cut off or altered.', { cause })
  }
}
