// @ts-check
// Parentheses around the functions that a first test calls. V8 compiles such a function with its file; of any other it
// reads only where it ends, and reads it again at its first call. Node's compile cache, where a user has one, holds what
// was compiled with the file. See docs/decisions/0018-one-bundle.md.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { RolldownMagicString } from 'rolldown'
import { Visitor } from 'rolldown/utils'

/**
 * @typedef {object} Profile what a first test calls of a file
 * @property {string} code
 * @property {ReadonlyMap<number, readonly number[]>} starts of functions, by where they end
 */

/** Runs the first test on the bundle in a folder. @param {string} folder @returns {Promise<ReadonlyMap<string, Profile>>} */
export async function profileFirstTest(folder) {
  const coverage = await mkdtemp(join(tmpdir(), 'tickchain-coverage-'))
  try {
    const test = fileURLToPath(new URL('first-test.js', import.meta.url))
    const env = { ...process.env, NODE_V8_COVERAGE: coverage }
    await promisify(execFile)(process.execPath, [test, folder], { env })
    const [report = ''] = await readdir(coverage)
    /** @type {{ result: { url: string, functions: { ranges: { startOffset: number, endOffset: number, count: number }[] }[] }[] }} */
    const { result } = JSON.parse(await readFile(join(coverage, report), 'utf8'))
    const base = pathToFileURL(join(folder, '/')).href
    const profiles = result
      .filter(({ url }) => url.startsWith(base))
      .map(async ({ url, functions }) => {
        const fileName = url.slice(base.length)
        /** @type {Map<number, number[]>} */
        const starts = new Map()
        for (const { ranges } of functions) {
          const { startOffset, endOffset, count } = ranges[0] ?? { startOffset: 0, endOffset: 0, count: 0 }
          if (count > 0) starts.set(endOffset, [...(starts.get(endOffset) ?? []), startOffset])
        }
        return /** @type {const} */ ([fileName, { code: await readFile(join(folder, fileName), 'utf8'), starts }])
      })
    return new Map(await Promise.all(profiles))
  } finally {
    await rm(coverage, { recursive: true })
  }
}

/** @typedef {{ start: number, end: number, body: { start: number } | null }} FunctionNode */

/**
 * Declarations become variables in front of the others, as declarations can be called before the line that they are on.
 * @param {ReadonlyMap<string, Profile>} profiles of the same bundle without this plugin
 */
export function eagerFunctions(profiles) {
  return {
    name: 'eager-functions',
    /** @this {import('rolldown').PluginContext} @param {string} code @param {{ fileName: string }} chunk */
    renderChunk(code, { fileName }) {
      const profile = profiles.get(fileName)
      if (profile === undefined) return undefined
      if (!profile.code.startsWith(code.trimEnd())) throw new Error(`${fileName} is not what the profile is of`)
      const { starts } = profile
      /** @param {FunctionNode} node */
      const isCalled = ({ start, end, body }) =>
        body !== null && starts.get(end)?.some((at) => start <= at && at < body.start) === true
      const text = new RolldownMagicString(code)
      const program = this.parse(code)
      const imports = program.body.filter(({ type }) => type === 'ImportDeclaration')
      const top = imports.at(-1)?.end ?? 0
      /** @type {Set<unknown>} */
      const kept = new Set()
      for (const node of program.body) {
        if (node.type !== 'FunctionDeclaration' || node.id === null) continue
        kept.add(node)
        if (!isCalled(node)) continue
        const { start, end, id, async: isAsync, generator } = node
        text.update(start, id.end, `var ${id.name}=(${isAsync ? 'async ' : ''}function${generator ? '*' : ''}`)
        text.appendLeft(end, ');')
        text.move(start, end, top)
      }
      /** @param {FunctionNode} node */
      const wrap = (node) => {
        if (kept.has(node) || !isCalled(node)) return
        text.appendRight(node.start, '(')
        text.appendLeft(node.end, ')')
      }
      /** Methods have no place for parentheses. @param {{ value: unknown }} node */
      const keep = ({ value }) => kept.add(value)
      const visitor = new Visitor({
        MethodDefinition: keep,
        Property: (node) => {
          if (node.method || node.kind !== 'init') keep(node)
        },
        FunctionExpression: wrap,
        ArrowFunctionExpression: wrap,
      })
      visitor.visit(program)
      return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
    },
  }
}
