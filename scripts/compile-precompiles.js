// Compiles assembly/precompiles/*.ts into src/core/execution/precompiles/generated.ts: `npm run wasm`.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileAssembly } from './compile-assembly.js'

export const generatedFile = new URL('../src/core/execution/precompiles/generated.ts', import.meta.url)

/** The text of generated.ts: the module in hex. */
export async function compilePrecompiles() {
  return [
    '// Written by scripts/compile-precompiles.js from assembly/precompiles. Do not edit.',
    '',
    'export const MODULE =',
    `  '0x${Buffer.from(await compileAssembly('assembly/precompiles/index.ts')).toString('hex')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(generatedFile, await compilePrecompiles())
}
