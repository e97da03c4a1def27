// @ts-check
// Parentheses around the functions that a first test calls. V8 compiles such a function with its file; of any other it
// only looks for the end, and reads it again at its first call. Node's compile cache, where a user has one, holds what
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
 * What a first test calls of a file: where its functions begin, by where they end.
 * @typedef {object} Profile
 * @property {string} code
 * @property {ReadonlyMap<number, readonly number[]>} starts
 *
 * @typedef {{ ranges: { startOffset: number, endOffset: number, count: number }[] }} CoveredFunction
 * @typedef {{ start: number, end: number, body: { start: number } | null }} FunctionNode
 */

const FIRST_TEST = fileURLToPath(new URL('first-test.js', import.meta.url))

/** @param {readonly CoveredFunction[]} functions @returns {Profile['starts']} */
function calledOf(functions) {
  /** @type {Map<number, number[]>} */
  const starts = new Map()
  for (const { ranges } of functions) {
    const [whole] = ranges
    if (whole === undefined || whole.count === 0) continue
    starts.set(whole.endOffset, [...(starts.get(whole.endOffset) ?? []), whole.startOffset])
  }
  return starts
}

/** Runs a first test on the bundle in a folder. @param {string} folder @returns {Promise<ReadonlyMap<string, Profile>>} */
export async function profileFirstTest(folder) {
  const reports = await mkdtemp(join(tmpdir(), 'tickchain-coverage-'))
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: reports }
    await promisify(execFile)(process.execPath, [FIRST_TEST, folder], { env })
    const [report = ''] = await readdir(reports)
    /** @type {{ result: { url: string, functions: CoveredFunction[] }[] }} */
    const { result } = JSON.parse(await readFile(join(reports, report), 'utf8'))
    const base = pathToFileURL(join(folder, '/')).href
    /** @type {Map<string, Profile>} */
    const profiles = new Map()
    for (const { url, functions } of result) {
      if (!url.startsWith(base)) continue
      const fileName = url.slice(base.length)
      const code = await readFile(join(folder, fileName), 'utf8')
      profiles.set(fileName, { code, starts: calledOf(functions) })
    }
    return profiles
  } finally {
    await rm(reports, { recursive: true })
  }
}

/**
 * The declarations among them become variables in front of all others, as a declaration can be called before its line.
 * @param {ReadonlyMap<string, Profile>} profiles of the same bundle without this plugin
 * @returns {import('rolldown').Plugin}
 */
export function eagerFunctions(profiles) {
  return {
    name: 'eager-functions',
    renderChunk(code, { fileName }) {
      const profile = profiles.get(fileName)
      if (profile === undefined) return undefined
      const { starts } = profile
      if (!profile.code.startsWith(code.trimEnd())) throw new Error(`${fileName} is not what was profiled`)
      /** @param {FunctionNode} node */
      const isCalled = ({ start, end, body }) =>
        body !== null && starts.get(end)?.some((at) => start <= at && at < body.start) === true
      const text = new RolldownMagicString(code)
      const program = this.parse(code)
      const top = program.body.findLast(({ type }) => type === 'ImportDeclaration')?.end ?? 0
      for (const node of program.body) {
        if (node.type !== 'FunctionDeclaration' || node.id === null || !isCalled(node)) continue
        const { start, end, id } = node
        const head = `${node.async ? 'async ' : ''}function${node.generator ? '*' : ''}`
        text.update(start, id.end, `var ${id.name}=(${head}`)
        text.appendLeft(end, ');')
        text.move(start, end, top)
      }
      /** Methods have no place for parentheses. @type {Set<unknown>} */
      const methods = new Set()
      /** @param {FunctionNode} node */
      const wrap = (node) => {
        if (methods.has(node) || !isCalled(node)) return
        text.appendRight(node.start, '(')
        text.appendLeft(node.end, ')')
      }
      const visitor = new Visitor({
        MethodDefinition: ({ value }) => void methods.add(value),
        Property({ method, kind, value }) {
          if (method || kind !== 'init') methods.add(value)
        },
        FunctionExpression: wrap,
        ArrowFunctionExpression: wrap,
      })
      visitor.visit(program)
      return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
    },
  }
}
