// Compiles assembly/*.ts, the interpreter, into src/interpreter/generated.ts: `npm run wasm`.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { gzipSync } from 'fflate'

const root = new URL('../', import.meta.url)

export const generatedFile = new URL('src/interpreter/generated.ts', root)

const OPTIONS = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--outFile', 'interpreter.wasm']

/** The module, which depends on nothing but its sources and the compiler. */
async function compileModule() {
  /** @type {Uint8Array | undefined} */
  let compiled
  const { error, stderr } = await asc.main(['assembly/interpreter.ts', ...OPTIONS], {
    readFile: (name) => readFile(new URL(name, root), 'utf8').catch(() => null),
    writeFile: (_name, contents) => {
      if (contents instanceof Uint8Array) compiled = contents
    },
    listFiles: () => [],
  })
  if (error !== null || compiled === undefined) throw new Error(stderr.toString())
  return compiled
}

/** The text of generated.ts: the module as the hex of its gzip. */
export async function compileInterpreter() {
  const compressed = gzipSync(await compileModule(), { level: 9, mtime: 0 })
  return [
    '// Written by scripts/compile-interpreter.js from assembly/. Do not edit.',
    '',
    `export const MODULE = '0x${Buffer.from(compressed).toString('hex')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(generatedFile, await compileInterpreter())
}
