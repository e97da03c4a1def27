// Removes the last build: a file of it whose source is gone would hide what cannot be resolved any more.

import { rmSync } from 'node:fs'

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
