// The player as one module beside a bundle of the library, for places that run no TypeScript.

import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Commands of simulations hash with Node's module, which pages do not have. */
const hashes = {
  name: 'hashes',
  resolveId: (specifier: string) => (specifier === 'node:crypto' ? '\0crypto' : undefined),
  load: (id: string) =>
    id === '\0crypto'
      ? `import { sha256 } from '@noble/hashes/sha2.js'
         import { bytesToHex } from '@noble/hashes/utils.js'
         export const createHash = () => ({
           update: (text) => ({ digest: () => bytesToHex(sha256(new TextEncoder().encode(text))) }),
         })`
      : undefined,
}

/** Writes the player to a file. */
export async function writePlayer(file: string): Promise<void> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const bundle = await rolldown({
    cwd: root,
    input: 'test/golden/play.ts',
    platform: 'browser',
    plugins: [hashes],
    resolve: { modules: ['node_modules', `${root}node_modules`] },
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
}
