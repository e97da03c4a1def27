// Compilation of AssemblyScript to WebAssembly, for the modules in the package.
import { readFile } from 'node:fs/promises'
import asc from 'assemblyscript/asc'

const root = new URL('../', import.meta.url)

const OPTIONS = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--outFile', 'module.wasm']

/**
 * A module; reproducible from its sources and the compiler.
 * @param {string} entry from the root
 * @param {Readonly<Record<string, string>>} replaced sources to compile in place of files, by their paths from the root
 */
export async function compileAssembly(entry, replaced = {}) {
  /** @type {Uint8Array | undefined} */
  let compiled
  const { error, stderr } = await asc.main([entry, ...OPTIONS], {
    readFile: (name) => replaced[name] ?? readFile(new URL(name, root), 'utf8').catch(() => null),
    writeFile: (_name, contents) => {
      if (contents instanceof Uint8Array) compiled = contents
    },
    listFiles: () => [],
  })
  if (error !== null || compiled === undefined) throw new Error(stderr.toString())
  return compiled
}
