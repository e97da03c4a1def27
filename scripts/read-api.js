// The public declarations of the library with their doc comments, as data, read from the syntax of the sources.
// Types are shown as they are written, without `readonly`: a checker would resolve `Address` to `0x${string}`.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { parseAst } from 'rolldown/parseAst'

/**
 * @typedef {{
 *   summary: string,
 *   params: Readonly<Record<string, string>>,
 *   throws: readonly string[],
 *   see: readonly string[],
 *   examples: readonly string[],
 *   isInternal: boolean,
 * }} Comment
 * @typedef {{ name: string, isOptional: boolean, type: string, typeNames: readonly string[] }} Parameter
 * @typedef {{ text: string, params: readonly Parameter[] }} Signature
 * @typedef {{
 *   name: string,
 *   isOptional: boolean,
 *   comment: Comment | undefined,
 *   signatures: readonly Signature[],
 *   type: string,
 *   typeNames: readonly string[],
 * }} Member a function has signatures, a property has a type
 * @typedef {{
 *   name: string,
 *   path: string,
 *   kind: 'function' | 'class' | 'interface' | 'type',
 *   comment: Comment | undefined,
 *   signatures: readonly Signature[],
 *   parents: readonly string[],
 *   members: readonly Member[],
 *   type: string,
 *   typeNames: readonly string[],
 * }} Declaration
 * @typedef {{
 *   entries: Readonly<Record<string, readonly string[]>>,
 *   declarations: ReadonlyMap<string, Declaration>,
 * }} Api the names that each entry exports, and the declarations of these and of the types that they name
 * @typedef {any} Node of the syntax tree, as ESTree and typescript-eslint define it
 * @typedef {{ path: string, source: string, body: readonly Node[] }} Module
 */

/** @param {string} block the text of a comment, from its opening to its end */
export function parseComment(block) {
  const text = block
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
  const [summary = '', ...tags] = text.split(/\n*^@/m)
  const params = /** @type {Record<string, string>} */ ({})
  const [throws, see, examples] = /** @type {[string[], string[], string[]]} */ ([[], [], []])
  let isInternal = false
  for (const tag of tags) {
    const [, name = '', body = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
    const line = body.replace(/\s*\n\s*/g, ' ').trim()
    const [, param = '', meaning = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    if (name === 'param') params[param] = meaning
    else if (name === 'throws') throws.push(line)
    else if (name === 'see') see.push(line)
    else if (name === 'example') examples.push(body.trimEnd())
    else if (name === 'internal') isInternal = true
    else if (name !== 'public') throw new Error(`a doc comment has the tag @${name}, which nothing shows`)
  }
  const paragraphs = summary
    .split(/\n{2,}/)
    .map((part) => part.replace(/\s*\n\s*/g, ' '))
    .join('\n\n')
  return { summary: paragraphs.trim(), params, throws, see, examples, isInternal }
}

/** The doc comment that stands right above a node. @param {Module} module @param {Node} node */
function commentAbove({ source }, node) {
  const above = source.slice(0, node.start).trimEnd()
  if (!above.endsWith('*/')) return undefined
  const block = above.slice(above.lastIndexOf('/*'))
  return block.startsWith('/**') ? parseComment(block) : undefined
}

/** A piece of source on one line, without comments and `readonly`. @param {Module} module @param {Node} node */
function textOf({ source }, node) {
  return source
    .slice(node.start, node.end)
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/\breadonly (?!string\[\]|\(|\w+\[\])/g, '')
    .replace(/\s*\n\s*(?=[}|.])/g, ' ')
    .replace(/\{\s*\n\s*/g, '{ ')
    .replace(/<\s*\n\s*/g, '<')
    .replace(/\s*\n\s*(?=[>?:])/g, ' ')
    .replace(/([([])\s*\n\s*/g, '$1')
    .replace(/,?\s*\n\s*(?=[)\]])/g, '')
    .replace(/([,|&=>?:])\s*\n\s*/g, '$1 ')
    .replace(/\s*\n\s*/g, '; ')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .trim()
}

/** The names of the types in a node. @param {Node} node @returns {string[]} */
function typeNamesIn(node) {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(typeNamesIn)
  const own =
    node.type === 'TSTypeReference' && node.typeName.type === 'Identifier' ? [node.typeName.name] : []
  return [...new Set([...own, ...Object.values(node).flatMap(typeNamesIn)])]
}

/** @param {Module} module @param {Node} node @returns {Parameter} */
function readParameter(module, node) {
  const target = node.type === 'AssignmentPattern' ? node.left : node
  const annotation = target.typeAnnotation?.typeAnnotation
  return {
    name: target.name,
    isOptional: node.type === 'AssignmentPattern' || target.optional === true,
    type: annotation === undefined ? 'unknown' : textOf(module, annotation),
    typeNames: typeNamesIn(annotation),
  }
}

/** @param {Module} module @param {string} name @param {Node} node @param {string} arrow @returns {Signature} */
function readSignature(module, name, node, arrow = ': ') {
  const params = (node.params ?? []).map((/** @type {Node} */ each) => readParameter(module, each))
  const list = params.map(
    (/** @type {Parameter} */ each) => `${each.name}${each.isOptional ? '?' : ''}: ${each.type}`,
  )
  const generics = node.typeParameters ? textOf(module, node.typeParameters) : ''
  const returned = node.returnType?.typeAnnotation
  const result = returned ? `${arrow}${textOf(module, returned)}` : ''
  return { text: `${name}${generics}(${list.join(', ')})${result}`, params }
}

/** The function types of a property. @param {Node} type @returns {Node[]} */
function functionTypesIn(type) {
  if (type?.type === 'TSFunctionType') return [type]
  const members = type?.type === 'TSTypeLiteral' ? type.members : []
  const calls = members.filter((/** @type {Node} */ each) => each.type === 'TSCallSignatureDeclaration')
  return calls.length === members.length ? calls : []
}

/** @param {Module} module @param {Node} node @returns {Member} */
function readMember(module, node) {
  const isCall = node.type === 'TSCallSignatureDeclaration'
  const name = node.key?.name ?? (isCall ? '' : `[${node.parameters[0].name}]`)
  const base = { name, isOptional: node.optional === true, comment: commentAbove(module, node) }
  const isFunction = ['TSMethodSignature', 'MethodDefinition'].includes(node.type) || isCall
  const annotation = node.typeAnnotation?.typeAnnotation
  const functions = isFunction ? [node.value ?? node] : functionTypesIn(annotation)
  return {
    ...base,
    signatures: functions.map((each) => readSignature(module, name, each)),
    type: annotation === undefined ? '' : textOf(module, annotation),
    typeNames: typeNamesIn(isFunction ? node : annotation),
  }
}

/** Overloads are one member: the first has the comment. @param {readonly Member[]} members @returns {Member[]} */
function joinOverloads(members) {
  const byName = new Map()
  for (const member of members) {
    const first = byName.get(member.name)
    const signatures = [...(first?.signatures ?? []), ...member.signatures]
    const typeNames = [...new Set([...(first?.typeNames ?? []), ...member.typeNames])]
    byName.set(member.name, { ...member, ...first, signatures, typeNames })
  }
  return [...byName.values()]
}

/** @param {Node} member of a class */
function isPublic({ type, accessibility, key, override }) {
  return (
    type !== 'StaticBlock' && !override && (accessibility ?? 'public') === 'public' && key.name !== undefined
  )
}

/** @param {Module} module @param {string} name @param {readonly Node[]} statements @returns {Declaration} */
function readDeclaration(module, name, statements) {
  const [statement] = statements
  const node = declaredIn(statement)
  const base = {
    ...{ name, path: module.path, comment: commentAbove(module, statement) },
    ...{ signatures: [], parents: [], members: [], type: '', typeNames: [] },
  }
  const parents = (node.extends ?? []).map((/** @type {Node} */ each) => each.expression.name)
  switch (node.type) {
    case 'TSInterfaceDeclaration': {
      const members = node.body.body
        .map((/** @type {Node} */ each) => readMember(module, each))
        .filter((/** @type {Member} */ { comment }) => comment?.isInternal !== true)
      return { ...base, kind: 'interface', parents, members: joinOverloads(members) }
    }
    case 'TSTypeAliasDeclaration': {
      const { typeAnnotation: type } = node
      return { ...base, kind: 'type', type: textOf(module, type), typeNames: typeNamesIn(type) }
    }
    case 'ClassDeclaration': {
      const members = node.body.body
        .filter(isPublic)
        .map((/** @type {Node} */ each) => readMember(module, each))
      return {
        ...base,
        kind: 'class',
        parents: [node.superClass?.name ?? ''],
        members: joinOverloads(members),
      }
    }
    default: {
      // With overloads, the last statement is the implementation, which callers do not see.
      const seen = statements.length > 1 ? statements.slice(0, -1) : statements
      const signatures = seen.map((each) => readSignature(module, name, declaredIn(each)))
      return {
        ...base,
        kind: 'function',
        signatures,
        typeNames: typeNamesIn(seen.map((each) => signatureNodes(declaredIn(each)))),
      }
    }
  }
}

/** @param {Node} node of a function */
function signatureNodes({ params, returnType }) {
  return [params, returnType]
}

/** @param {Node} statement */
function declaredIn(statement) {
  return statement.declaration ?? statement
}

/**
 * Reads what the entries export.
 * @param {URL} root of the repository
 * @param {Readonly<Record<string, string>>} entries paths by the names that they are imported by
 * @returns {Api}
 */
export function readApi(root, entries) {
  const modules = new Map()
  /** @param {string} path @returns {Module} */
  const moduleAt = (path) => {
    const source = modules.get(path)?.source ?? readFileSync(new URL(path, root), 'utf8')
    const module = modules.get(path) ?? { path, source, body: parseAst(source, { lang: 'ts' }, path).body }
    modules.set(path, module)
    return module
  }
  /** @param {Module} module @param {string} specifier */
  const resolve = ({ path }, specifier) => join(dirname(path), specifier)
  /** Where a name of a module is declared. @param {Module} module @param {string} name @returns {Declaration | undefined} */
  const find = (module, name) => {
    const own = module.body.filter((each) => declaredIn(each).id?.name === name)
    if (own.length > 0) return readDeclaration(module, name, own)
    for (const { source, specifiers = [] } of module.body) {
      const found = specifiers.find((/** @type {Node} */ each) => (each.exported ?? each.local).name === name)
      if (found === undefined || !source?.value.startsWith('.')) continue
      return find(moduleAt(resolve(module, source.value)), (found.imported ?? found.local).name)
    }
    return undefined
  }
  const declarations = new Map()
  /** Takes a declaration, and the types that it names. @param {Declaration | undefined} found */
  const take = (found) => {
    if (found === undefined || declarations.has(found.name)) return
    declarations.set(found.name, found)
    const named = [
      ...found.parents,
      ...found.typeNames,
      ...found.members.flatMap(({ typeNames }) => typeNames),
    ]
    for (const name of named) take(find(moduleAt(found.path), name))
  }
  const exported = Object.entries(entries).map(([entry, path]) => {
    const module = moduleAt(path)
    const names = exportsOf(module).filter((name) => find(module, name)?.comment?.isInternal !== true)
    for (const name of names) take(find(module, name))
    return [entry, names]
  })
  return { entries: Object.fromEntries(exported), declarations }
}

/** The names that a module exports. @param {Module} module @returns {string[]} */
function exportsOf({ body, path }) {
  const names = body.flatMap((statement) => {
    if (statement.type === 'ExportAllDeclaration') throw new Error(`${path} exports everything of a module`)
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers } = statement
    return declaration
      ? [declaration.id.name]
      : specifiers.map((/** @type {Node} */ each) => each.exported.name)
  })
  return [...new Set(names)]
}
