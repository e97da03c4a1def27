// Compiles assembly/*.ts, the interpreter, into src/interpreter/generated.ts: `npm run wasm`.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileAssembly } from './compile-assembly.js'

export const generatedFile = new URL('../src/interpreter/generated.ts', import.meta.url)

/** The text of generated.ts: the module in hex. Uncompressed: reading it is faster than unpacking. */
export async function compileInterpreter() {
  return [
    '// Written by scripts/compile-interpreter.js from assembly/. Do not edit.',
    '',
    'export const MODULE =',
    `  '0x${Buffer.from(await compileAssembly('assembly/interpreter.ts')).toString('hex')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(generatedFile, await compileInterpreter())
}
