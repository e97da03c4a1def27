// Compiles assembly/crypto/*.ts, keccak-256 and the recovery of keys, into src/primitives/crypto-generated.ts.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const root = new URL('../', import.meta.url)

export const generatedFile = new URL('src/primitives/crypto-generated.ts', root)

const OPTIONS = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--outFile', 'crypto.wasm']

/** The module, which depends on nothing but its sources and the compiler. */
async function compileModule() {
  /** @type {Uint8Array | undefined} */
  let compiled
  const { error, stderr } = await asc.main(['assembly/crypto/index.ts', ...OPTIONS], {
    readFile: (name) => readFile(new URL(name, root), 'utf8').catch(() => null),
    writeFile: (_name, contents) => {
      if (contents instanceof Uint8Array) compiled = contents
    },
    listFiles: () => [],
  })
  if (error !== null || compiled === undefined) throw new Error(stderr.toString())
  return compiled
}

/** The text of crypto-generated.ts: the module in hex. */
export async function compileCrypto() {
  return [
    '// Written by scripts/compile-crypto.js from assembly/crypto. Do not edit.',
    '',
    'export const MODULE =',
    `  '0x${Buffer.from(await compileModule()).toString('hex')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(generatedFile, await compileCrypto())
}
