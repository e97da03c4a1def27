// @ts-check
// Writes docs/images/timeline.svg, the timeline of the demo, from the built library.

import { writeFile } from 'node:fs/promises'
import { timeline } from '../demo/timeline.js'

await writeFile(
  new URL('../docs/images/timeline.svg', import.meta.url),
  await timeline.toSVG({ title: 'The demo' }),
)
