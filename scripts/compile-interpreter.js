// Compiles assembly/*.ts, the interpreter, into src/core/interpreter/generated.ts, the build that tells of its steps into
// generated-stepping.ts and the one that records coverage into generated-covering.ts: `npm run wasm`.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileAssembly } from './compile-assembly.js'

const STEPPING = { 'assembly/stepping.ts': 'export const STEPPING: bool = true\n' }
const COVERING = { 'assembly/covering.ts': 'export const COVERING: bool = true\n' }

/**
 * The text of a generated file: a module in hex. Uncompressed: reading it is faster than unpacking.
 * @param {Readonly<Record<string, string>>} [replaced] sources to compile in place of files
 */
async function compile(replaced) {
  const bytes = await compileAssembly('assembly/interpreter.ts', replaced)
  return [
    '// Written by scripts/compile-interpreter.js from assembly/. Do not edit.',
    '',
    'export const MODULE =',
    `  '0x${Buffer.from(bytes).toString('hex')}'`,
    '',
  ].join('\n')
}

/** The generated files and what they must contain. @returns {Promise<readonly (readonly [file: URL, text: string])[]>} */
export async function compileInterpreter() {
  return [
    [new URL('../src/core/interpreter/generated.ts', import.meta.url), await compile()],
    [new URL('../src/core/interpreter/generated-stepping.ts', import.meta.url), await compile(STEPPING)],
    [new URL('../src/core/interpreter/generated-covering.ts', import.meta.url), await compile(COVERING)],
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of await compileInterpreter()) await writeFile(file, text)
}
