// Compiles assembly/crypto/*.ts, keccak-256 and public key recovery, into src/core/primitives/crypto-generated.ts.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileAssembly } from './compile-assembly.js'

export const generatedFile = new URL('../src/core/primitives/crypto-generated.ts', import.meta.url)

/** The text of crypto-generated.ts: the module in hex. */
export async function compileCrypto() {
  return [
    '// Written by scripts/compile-crypto.js from assembly/crypto. Do not edit.',
    '',
    'export const MODULE =',
    `  '0x${Buffer.from(await compileAssembly('assembly/crypto/index.ts')).toString('hex')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(generatedFile, await compileCrypto())
}
