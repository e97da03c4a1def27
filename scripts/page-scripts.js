// @ts-check
// Plugin of the bundler and of Vitest: the module `page.tsx?page` exports the text of a page's script, bundled and
// minified. See docs/decisions/0029-pages.md.

import { rolldown } from 'rolldown'

const SUFFIX = '?page'

/** A page's script as one minified ES module, and its modules. @param {string} path */
async function bundlePage(path) {
  const bundle = await rolldown({
    input: path,
    platform: 'browser',
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    onLog(_level, { message }) {
      throw new Error(message)
    },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  const [chunk] = output
  return { code: chunk.code.trim(), modules: chunk.moduleIds }
}

/** @param {(modules: readonly string[]) => void} [onModules] told of all modules that a page's script has */
export function pageScripts(onModules) {
  return {
    name: 'page-scripts',
    enforce: /** @type {const} */ ('pre'),
    /**
     * @this {{ resolve(id: string, importer?: string): Promise<{ id: string } | null> }}
     * @param {string} specifier @param {string} [importer]
     */
    async resolveId(specifier, importer) {
      if (!specifier.endsWith(SUFFIX)) return undefined
      const found = await this.resolve(specifier.slice(0, -SUFFIX.length), importer)
      return found === null ? undefined : `${found.id}${SUFFIX}`
    },
    /** @this {{ addWatchFile(id: string): void }} @param {string} id */
    async load(id) {
      if (!id.endsWith(SUFFIX)) return undefined
      const { code, modules } = await bundlePage(id.slice(0, -SUFFIX.length))
      for (const module of modules) this.addWatchFile(module)
      onModules?.(modules)
      return {
        code: `export default ${JSON.stringify(code)}`,
        map: null,
        moduleType: /** @type {const} */ ('js'),
      }
    },
  }
}
