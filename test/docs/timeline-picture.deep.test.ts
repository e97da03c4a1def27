// docs/images/timeline.svg is the timeline of the demo, which is played here. `npm run docs` writes it.

import { expect, test, vi } from 'vitest'
import { read } from '../tidy/repository.ts'

test('the picture of the demo is up to date', async () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { timeline } = await import('../../demo/timeline.js')
  print.mockRestore()
  expect(await timeline.toSVG({ title: 'The demo' })).toBe(read('docs/images/timeline.svg'))
})
