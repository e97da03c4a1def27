import { afterEach, expect, test, vi } from 'vitest'
import { moduleBytes } from '../../../src/core/primitives/web-assembly.ts'

const NodesBuffer = Buffer

afterEach(() => vi.unstubAllGlobals())

test.each(['Node', 'a browser'])('in %s, hex of every length is decoded as Node does it', (place) => {
  if (place === 'a browser') vi.stubGlobal('Buffer', undefined)
  for (let length = 0; length <= 40; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 67 + 129 + length) & 0xff)
    const decoded = moduleBytes(`0x${NodesBuffer.from(bytes).toString('hex')}`)
    expect(Uint8Array.from(decoded)).toEqual(bytes)
  }
})
