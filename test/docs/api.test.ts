import { describe, expect, test } from 'vitest'
import { parseComment, readApi } from '../../scripts/read-api.js'
import { ENTRIES, renderApiDocs } from '../../scripts/render-api.js'
import { ERROR_TABLE } from '../../src/core/primitives/errors.ts'
import { METHODS } from '../../src/core/rpc/registry.ts'
import { read } from '../tidy/repository.ts'

type Api = ReturnType<typeof readApi>
type Declaration = Api['declarations'] extends ReadonlyMap<string, infer Value> ? Value : never
type Documented = Pick<Declaration, 'name' | 'comment' | 'signatures'>

const api = readApi(new URL('../../', import.meta.url), ENTRIES)
const exported = [...new Set(Object.values(api.entries).flat())]
const declarationOf = (name: string): Declaration => {
  const found = api.declarations.get(name)
  if (found === undefined) throw new Error(`${name} is exported and was not found`)
  return found
}

const emulatorParts = ['Emulator', ...declarationOf('Emulator').parents]
const functions: Documented[] = [
  ...emulatorParts.flatMap((name) => declarationOf(name).members),
  ...declarationOf('ChainMatchers').members,
  ...declarationOf('GasSnapshotMatchers').members,
  ...exported.map(declarationOf).filter(({ kind }) => kind === 'function' || kind === 'class'),
]

/** The missing parts of a function's comment. */
function missingParts({ comment, signatures }: Documented): string[] {
  if (comment === undefined || comment.summary === '') return ['a sentence that says what it does']
  const params = new Set(signatures.flatMap((signature) => signature.params.map(({ name }) => name)))
  const undescribed = [...params].filter((name) => !comment.params[name])
  const unknown = Object.keys(comment.params).filter((name) => !params.has(name))
  return [
    ...(comment.examples.length === 1 ? [] : ['one @example']),
    ...(signatures.length > 0 ? undescribed.map((name) => `@param ${name}`) : []),
    ...(signatures.length > 0 ? unknown.map((name) => `no @param ${name}, which it does not take`) : []),
  ]
}

/** Names in backquotes in a text that are, or should be, in a table. */
function unknownNames(text: string, pattern: RegExp, known: object): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!).filter((name) => !Object.hasOwn(known, name))
}

describe('docs/api.md', () => {
  test('is current', () => {
    expect(read('docs/api.md') === renderApiDocs(api), 'run `npm run docs` and commit what it writes').toBe(
      true,
    )
  })

  test('has a heading for every function of the emulator', () => {
    const page = read('docs/api.md')
    const names = emulatorParts.flatMap((part) => declarationOf(part).members.map(({ name }) => name))
    expect(names.filter((name) => !page.includes(`\n### chain.${name}\n`))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['deal', 'setAllowance', 'setNextBlockTimestamp']))
  })

  test('names every export', () => {
    const page = read('docs/api.md')
    // Groups of matchers, and a union whose members the page has.
    const groups = new Set(['ChainMatchers', 'ChainMatcherFunctions', 'GasSnapshotMatchers', 'AdversaryKind'])
    const absent = exported.filter((name) => !groups.has(name) && !new RegExp(`\\b${name}\\b`).test(page))
    expect(absent).toEqual([])
  })

  test('a function without a topic, and a topic without its function, are refused', () => {
    const { declarations } = api
    const emulator = declarationOf('Emulator')
    const withMembers = (members: Declaration['members']) => ({
      ...api,
      declarations: new Map([...declarations, ['Emulator', { ...emulator, members }]]),
    })
    const [first, ...others] = emulator.members
    expect(() => renderApiDocs(withMembers([...emulator.members, { ...first!, name: 'fly' }]))).toThrow(
      'fly has no topic',
    )
    expect(() => renderApiDocs(withMembers(others))).toThrow(`there is no ${first?.name}`)
  })
})

describe('doc comments', () => {
  test('of functions have all parts', () => {
    for (const documented of functions) expect(missingParts(documented), documented.name).toEqual([])
  })

  test('of exports have a summary', () => {
    for (const name of exported) expect(declarationOf(name).comment?.summary, name).toMatch(/^[A-Z].*\.$/s)
  })

  const options = exported.filter((name) => /Options$/.test(name) && declarationOf(name).kind === 'interface')
  test.each(options)('every field of %s is described', (name) => {
    const members = declarationOf(name).members.filter(({ comment }) => comment === undefined)
    expect(members.map((member) => member.name)).toEqual([])
  })

  test('name errors that there are', () => {
    for (const { name, comment } of functions) {
      const texts = (comment?.throws ?? []).filter((text) => !text.includes('docs/errors.md'))
      expect(
        texts.every((text) => /^TickchainError .*`\w+`/.test(text)),
        name,
      ).toBe(true)
      expect(
        texts.flatMap((text) => unknownNames(text.replace(/\bfor `\w+`/g, ''), /`(\w+)`/g, ERROR_TABLE)),
        name,
      ).toEqual([])
    }
  })

  test('name methods that there are', () => {
    for (const { name, comment } of functions) {
      const named = (comment?.see ?? []).flatMap((text) => unknownNames(text, /`([a-z]+_\w+)`/g, METHODS))
      expect(named, name).toEqual([])
    }
  })

  test('errors of argument checks are documented with @throws', () => {
    const withoutThrows = emulatorParts
      .flatMap((part) => declarationOf(part).members)
      .filter(({ name, signatures }) => {
        const takes = signatures.some(({ params }) => params.length > 0)
        return takes && !['handle', 'fetch', 'removeListener'].includes(name)
      })
      .filter(({ comment }) => (comment?.throws ?? []).length === 0)
    expect(withoutThrows.map(({ name }) => name)).toEqual([])
  })

  test('a missing part is reported', () => {
    const signatures = [
      { text: 'f(ms: number)', params: [{ name: 'ms', isOptional: false, type: 'number', typeNames: [] }] },
    ]
    const check = (block: string) => missingParts({ name: 'f', comment: parseComment(block), signatures })
    expect(missingParts({ name: 'f', comment: undefined, signatures })).toHaveLength(1)
    expect(check('/**\n * Waits.\n * @param ms Milliseconds.\n * @example\n * f(1)\n */')).toEqual([])
    expect(check('/**\n * Waits.\n * @param ms Milliseconds.\n */')).toEqual(['one @example'])
    expect(check('/**\n * Waits.\n * @param s Seconds.\n * @example\n * f(1)\n */')).toEqual([
      '@param ms',
      'no @param s, which it does not take',
    ])
    expect(() => parseComment('/** @returns a number */')).toThrow('@returns')
  })
})
