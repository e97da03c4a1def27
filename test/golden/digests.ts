// The golden digests, as docs/DETERMINISM.md shows them.

import { read } from '../tidy/repository.ts'

/** SHA-256 of a scene's lines, by its name. */
export const DIGESTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...read('docs/DETERMINISM.md').matchAll(/^\| `(\w+)` \|.*\| `([0-9a-f]{64})` \|$/gm)].map(
    ([, name = '', digest = '']) => [name, digest],
  ),
)

/** Every scene with either interpreter: what `digestsOf` answers. */
export const EXPECTED = (['wasm', 'reference'] as const).flatMap((interpreter) =>
  Object.entries(DIGESTS).map(([name, digest]) => `${name} ${interpreter} ${digest}`),
)
