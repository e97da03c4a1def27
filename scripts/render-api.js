// docs/api.md as text, from the public declarations and their doc comments.

import { cell, PREFACE } from './render-docs.js'

/**
 * @typedef {import('./read-api.js').Api} Api
 * @typedef {import('./read-api.js').Declaration} Declaration
 * @typedef {import('./read-api.js').Member} Member
 * @typedef {import('./read-api.js').Parameter} Parameter
 * @typedef {Pick<Declaration, 'name' | 'comment' | 'signatures' | 'type' | 'typeNames'>} Documented
 * @typedef {Documented & { title: string, anchor: string, origin: string, fields: readonly Member[] }} Entry
 * @typedef {{ declarations: Api['declarations'], anchors: ReadonlyMap<string, string> }} Page
 */

/** What each entry of the package is made of. */
export const ENTRIES = {
  tickchain: 'src/index.ts',
  'tickchain/viem': 'src/viem.ts',
  'tickchain/ethers': 'src/ethers.ts',
  'tickchain/vitest': 'src/vitest.ts',
  'tickchain/vitest-config': 'src/vitest-config.ts',
  'tickchain/vitest-reporter': 'src/vitest-reporter.ts',
  'tickchain/matchers': 'src/matchers.ts',
  'tickchain/realtime': 'src/realtime.ts',
  'tickchain/recording': 'src/recording.ts',
  'tickchain/shared': 'src/shared.ts',
  'tickchain/upstream': 'src/upstream.ts',
  'tickchain/explore': 'src/explore.ts',
  'tickchain/explore-node': 'src/explore-node.ts',
  'tickchain/solidity-tests': 'src/solidity-tests.ts',
  'tickchain/rollup': 'src/rollup.ts',
  'tickchain/explorer': 'src/explorer.ts',
}

/** The functions by topic, in the order of the page. */
const TOPICS = {
  'Creating a chain': 'createEmulator base opMainnet unichain TickchainError',
  'JSON-RPC': 'request handle fetch connect acceptsHandshake settings',
  Clock:
    'now advance jump next increaseTime setTime setNextBlockTimestamp setBlockTimestampInterval ' +
    'removeBlockTimestampInterval',
  Blocks:
    'seal closePartial mine mineDetailed setProduction setAutomine setIntervalMining setCoinbase setBlockGasLimit ' +
    'setNextBlockBaseFee setNextBlockPrevRandao setExtraData setChainId',
  Pool:
    'dropTransaction clearPool setOrdering setScheduler delayTransaction releaseTransaction setPoolLimit ' +
    'setMinimumTip setMinGasPrice',
  Accounts:
    'setBalance addBalance setCode setNonce setStorageAt impersonate stopImpersonating impersonateSignature ' +
    'listAccounts newAccount importAccount addAccount removeAccount unlockAccount lockAccount',
  Tokens: 'deal setAllowance balanceChange',
  'Snapshots and copies':
    'snapshot revert clone reset dump load sharedChain exportBlocks importBlocks dispose',
  Reorganisations: 'reorg rollback',
  Forks: 'fork prefetch recordingFile httpUpstream',
  Rollup: 'deposit setSystemConfig setFeature',
  Faults: 'fault clearFaults dropPreconfirmed',
  Diagnostics: 'outcome registerAbi nodeInfo',
  Timelines: 'recordTimeline timelineFrom formatTimeline',
  Traces: 'trace formatTrace traceToHTML addContracts label',
  'Gas and coverage': 'tickchain recordGas formatGasReport',
  'Reports of failed tests': 'reportPages',
  Events: 'on removeListener subscribe',
  'In a web page': 'mountExplorer providerWithPast',
  'Layer 1 and layer 2':
    'createRollup rollup.now rollup.advance rollup.jump rollup.next rollup.snapshot rollup.revert rollup.clone ' +
    'rollup.dispose rollup.batcher.submit rollup.batcher.withhold rollup.batcher.resume rollup.proposer.submit ' +
    'rollup.proposer.withhold rollup.proposer.resume rollup.sequencer.stop rollup.sequencer.start',
  Matchers:
    'chainTest toEmit toRevertWith toChangeBalance toMatchGas toMatchGasSnapshot toBeSealed toBePreconfirmed ' +
    'chainMatchers',
  Exploring:
    'explore exploreAll exploreContracts replay merge formatProgress exploreModule corpusFolder storyFolder replayFile',
  'Solidity tests': 'runSolidityTests runTestArtifacts',
  Clients:
    'emulatorConfig emulatorActions emulatorTransport emulatorChain EmulatorProvider advanceOnPoll coupleTimers ' +
    'startRealtime announceProvider',
}

/** What is called on a rollup, by the interfaces that have it. */
const ROLLUP_PARTS = {
  'rollup.': 'Rollup',
  'rollup.batcher.': 'BatcherControls',
  'rollup.proposer.': 'ProposerControls',
  'rollup.sequencer.': 'SequencerControls',
}

/** Types whose comment says more than their definition, which names what is not exported. */
const DESCRIBED = [
  ...['ParamsFor', 'ResultFor', 'MethodName', 'WebResponse', 'Subscribe', 'HardforkName', 'Predeploy'],
  ...['ErrorKind', 'ErrorParts'],
]

/** Types without a heading, since the page shows them in another way. */
const ELSEWHERE = [
  ...['ChainMatchers', 'ChainMatcherFunctions', 'GasSnapshotMatchers', 'EmulatorEvents', 'ErrorParts'],
  ...['HistoryOptions', 'Hex', 'Address', 'Hash'],
]

/** Types on so many lines that a link on each would only be noise. */
const FAMILIAR = ['Amount', 'Emulator']

const INTRODUCTION = `# API

${PREFACE}

Every function of an emulator and every export of the package. The page is taken from the doc comments, whose examples a
test executes: \`chain\` is a fresh \`await createEmulator()\` on which one transaction, \`hash\`, waits in the pool,
\`rollup\` a fresh \`await createRollup()\`, and \`// => value\` is what the line evaluates to. JSON-RPC methods are in [rpc.md](rpc.md), errors in [errors.md](errors.md).

- **Order.** Calls take effect in the order in which they are made, awaited or not.
- **Errors.** Failures are [\`TickchainError\`](#tickchainerror)s; each entry lists its kinds. Functions that return a
  promise reject with it. After \`dispose\`, requests and functions that return a promise are refused with
  \`disposed\`; the others still answer.
- **Throws.** An entry without this line is refused with nothing but \`disposed\`.
- **\`Amount\`** is a whole number: a bigint, a JavaScript integer, or a hex or decimal string.
- **Numbers in answers.** Functions and the events of \`chain.on\` give block numbers, counts, indexes and times as
  \`number\`, wei and gas as \`bigint\`; only reports and traces for reading (\`recordGas\`, \`trace\`) have gas as \`number\`. What has
  the shape of JSON-RPC (\`request\`, \`subscribe\`, the events \`message\` and \`flashblock\`) has hex, as nodes give it.
- **\`Hex\`** is a string with \`0x\`; **\`Address\`** is one of 20 bytes and **\`Hash\`** one of 32, in lower case in answers and
  any case in arguments.
- **Time** is virtual: milliseconds for the clock, seconds for timestamps of blocks, both since the Unix epoch.`

/** The anchor that GitHub gives a heading. @param {string} heading */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** @param {string} code */
const inline = (code) => (code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``)

/** @param {Page} page @param {string} name */
function linkTo({ anchors }, name) {
  const anchor = anchors.get(name)
  return anchor === undefined ? undefined : `[\`${name}\`](#${anchor})`
}

/** Methods, pages and standards become links. @param {string} text */
function linked(text) {
  return text
    .replace(
      /(?:https:\/\/github\.com\/tickchain\/tickchain\/blob\/main\/|\b)docs\/([\w-]+\.md)/g,
      '[$1]($1)',
    )
    .replace(/`((?:[a-z]+)_\w+)`/g, (_, method) => `[\`${method}\`](rpc.md#${method.toLowerCase()})`)
    .replace(/\b(EIP|ERC)-(\d+)\b/g, (name, kind, number) =>
      kind === 'EIP' || number === '20' ? `[${name}](https://eips.ethereum.org/EIPS/eip-${number})` : name,
    )
}

/** @param {readonly string[]} header @param {readonly (readonly string[])[]} rows */
function table(header, rows) {
  const lines = [header, header.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** A union is not worth a name where it says what may be written. @param {Page} page @param {string} type */
function spelledOut({ declarations }, type) {
  return type.replace(/\b[A-Z]\w+\b/g, (name) => {
    const alias = declarations.get(name)
    return alias !== undefined && isChoice(alias.type) ? alias.type : name
  })
}

/** All members, with those of the parents. @param {Pick<Page, 'declarations'>} page @param {string} name @returns {Member[]} */
function membersOf(page, name) {
  const found = page.declarations.get(name)
  return found === undefined
    ? []
    : [...found.members, ...found.parents.flatMap((parent) => membersOf(page, parent))]
}

/** @param {Page} page @param {Member} member */
function typeOf(page, { name, signatures, type }) {
  const [signature] = signatures
  return signature === undefined ? spelledOut(page, type) : signature.text.slice(name.length)
}

/** A table of properties. @param {Page} page @param {readonly Member[]} members */
function renderFields(page, members) {
  const rows = members.map((member) => {
    const links = linksTo(page, member.typeNames)
    const see = links.length === 0 ? '' : ` See ${links.join(', ')}.`
    const name = `\`${member.name}${member.isOptional ? '?' : ''}\``
    return [
      name,
      inline(typeOf(page, member)),
      `${linked(member.comment?.summary.replace(/\n+/g, ' ') ?? '')}${see}`.trim(),
    ]
  })
  return table(['field', 'type', ''], rows)
}

/** @param {Page} page @param {string} anchor of the entry @param {Parameter} parameter @param {string} meaning */
function renderParameter(page, anchor, { name, isOptional, type, typeNames }, meaning) {
  const links = linksTo(
    page,
    typeNames.filter((each) => page.anchors.get(each) !== anchor),
  )
  const see = links.length === 0 ? '' : ` See ${links.join(', ')}.`
  return `- ${inline(`${name}${isOptional ? '?' : ''}: ${spelledOut(page, type)}`)}: ${meaning}${see}`
}

/** @param {Page} page @param {readonly string[]} names */
function linksTo(page, names) {
  return names
    .filter((name) => !FAMILIAR.includes(name))
    .map((name) => linkTo(page, name))
    .filter((link) => link !== undefined)
}

/**
 * A function, a property of the emulator, or a class.
 * @param {Page} page
 * @param {Entry} entry
 */
function renderEntry(page, { title, anchor, signatures, comment, type, typeNames, origin, fields }) {
  const params = [...new Map(signatures.flatMap((each) => each.params.map((it) => [it.name, it]))).values()]
  const described = params.filter(({ name }) => comment?.params[name] !== undefined)
  const options = params.map((each) => each.type).filter((each) => page.anchors.get(each) === anchor)
  const shown =
    signatures.length > 0 ? signatures.map(({ text }) => text) : type === '' ? [] : [`${title}: ${type}`]
  const named = described.flatMap((each) => each.typeNames)
  const links = linksTo(
    page,
    typeNames.filter((name) => !named.includes(name)),
  )
  return [
    `### ${title}`,
    shown.map((text) => inline(spelledOut(page, text))).join('\\\n'),
    [linked(comment?.summary ?? ''), origin].filter(Boolean).join(' '),
    described.map((each) => renderParameter(page, anchor, each, comment?.params[each.name] ?? '')).join('\n'),
    ...options.map((name) => `\`${name}\`:\n\n${renderFields(page, membersOf(page, name))}`),
    fields.length > 0 ? renderFields(page, fields) : '',
    links.length > 0 ? `Types: ${links.join(', ')}.` : '',
    ...(comment?.throws ?? []).map((text) => `Throws ${linked(text.replace(/^TickchainError /, ''))}.`),
    ...(comment?.see ?? []).map((text) => `See ${linked(text)}.`),
    ...(comment?.examples ?? []).map((code) => `\`\`\`js\n${code}\n\`\`\``),
  ].filter((part) => part !== '')
}

/** The parts of the emulator: their functions have entries of their own. @param {Page} page */
const emulatorParts = (page) => ['Emulator', ...declarationOf(page, 'Emulator').parents]

/** What a type consists of. @param {Page} page @param {Declaration} declaration */
function renderDefinition(page, { name, kind, type, members, parents }) {
  if (DESCRIBED.includes(name)) return ''
  if (kind === 'type') return inline(spelledOut(page, type))
  if (emulatorParts(page).includes(name)) {
    const own = members.map((member) => `[\`${member.name}\`](#${anchorOf(`chain.${member.name}`)})`)
    const inherited = parents.length === 0 ? '' : `, and those of ${linksTo(page, parents).join(', ')}`
    return `Members: ${own.join(', ')}${inherited}.`
  }
  const calls = members.filter((member) => member.name === '').flatMap(({ signatures }) => signatures)
  if (calls.length > 0) return calls.map(({ text }) => inline(text)).join('\\\n')
  return renderFields(page, membersOf(page, name))
}

/** @param {Page} page @param {string} name */
function renderType(page, name) {
  const declaration = declarationOf(page, name)
  const { comment, kind, typeNames } = declaration
  const isListed = kind === 'type' && !DESCRIBED.includes(name)
  const links = isListed ? linksTo(page, typeNames) : []
  return [
    `### ${name}`,
    linked(comment?.summary ?? ''),
    renderDefinition(page, declaration),
    links.length > 0 ? `Types: ${links.join(', ')}.` : '',
    ...(comment?.see ?? []).map((text) => `See ${linked(text)}.`),
  ].filter((part) => part !== '')
}

/** @param {Pick<Page, 'declarations'>} page @param {string} name */
function declarationOf({ declarations }, name) {
  const found = declarations.get(name)
  if (found === undefined) throw new Error(`there is no ${name}, which scripts/render-api.js names`)
  return found
}

/** The functions of an interface under the receiver they are called on. @param {Api} api @param {string} name @param {string} receiver */
function methodEntries(api, name, receiver) {
  const entries = membersOf(api, name).map((member) => {
    const title = `${receiver}${member.name}`
    const [call] = api.declarations.get(member.type)?.members.filter((each) => each.name === '') ?? []
    const signatures = call?.signatures.map(({ text, params }) => ({
      text: text.replace(/^<[^(]*(?:\([^)]*\))?>/, member.name),
      params,
    }))
    return /** @type {Entry} */ ({
      ...member,
      signatures: signatures ?? member.signatures,
      title,
      anchor: anchorOf(title),
      origin: '',
      fields: [],
    })
  })
  return new Map(entries.map((entry) => [entry.name, entry]))
}

/** A function or a class that an entry exports. @param {Api} api @param {string} name @returns {Entry} */
function exportEntry(api, name) {
  const declaration = declarationOf(api, name)
  const { kind, members } = declaration
  const found = Object.keys(api.entries).filter((entry) => api.entries[entry]?.includes(name))
  const origin = `From ${found.map((entry) => `\`${entry}\``).join(' and ')}.`
  const entry = {
    ...declaration,
    title: name,
    anchor: anchorOf(name),
    origin,
    fields: /** @type {Member[]} */ ([]),
  }
  if (kind !== 'class') return entry
  const creation = members.find((member) => member.name === 'constructor')
  const isForUsers = creation?.comment !== undefined
  const signatures = (creation?.signatures ?? []).map(({ text, params }) => ({
    text: text.replace('constructor', `new ${name}`),
    params,
  }))
  const params = { ...entry.comment?.params, ...creation?.comment?.params }
  const fields = members.filter((member) => member !== creation)
  if (!isForUsers || entry.comment === undefined) return { ...entry, fields }
  return { ...entry, signatures, fields, comment: { ...entry.comment, params } }
}

/**
 * The sections of functions. Throws if a function has no section, or a section no function.
 * @param {Api} api
 * @returns {readonly (readonly [topic: string, entries: readonly Entry[]])[]}
 */
function sectionsOf(api) {
  const functions = [...methodEntries(api, 'Emulator', 'chain.').values()]
  const matchers = ['ChainMatchers', 'GasSnapshotMatchers'].flatMap((name) => [
    ...methodEntries(api, name, 'expect(transaction).').values(),
  ])
  // Their names are those of an emulator's functions, too.
  const ofRollups = Object.entries(ROLLUP_PARTS).flatMap(([receiver, name]) =>
    [...methodEntries(api, name, receiver).values()]
      .filter(({ comment }) => (comment?.examples ?? []).length > 0)
      .map((entry) => ({ ...entry, name: entry.title })),
  )
  const exported = [...new Set(Object.values(api.entries).flat())]
    .filter((name) => ['function', 'class'].includes(declarationOf(api, name).kind))
    .map((name) => exportEntry(api, name))
  const byName = new Map(
    [...functions, ...exported, ...matchers, ...ofRollups].map((entry) => [entry.name, entry]),
  )
  const sections = Object.entries(TOPICS).map(([topic, names]) => {
    const entries = names.split(' ').map((name) => {
      const entry = byName.get(name)
      if (entry === undefined) throw new Error(`there is no ${name}: take it out of scripts/render-api.js`)
      byName.delete(name)
      return entry
    })
    return /** @type {const} */ ([topic, entries])
  })
  const [missing] = byName.keys()
  if (missing !== undefined) throw new Error(`${missing} has no topic: name one in scripts/render-api.js`)
  return sections
}

/** @param {string} type whether it shows by itself which values are valid */
const isChoice = (type) => /^'\w+'(?: \| '\w+')*$/.test(type)

/** The types that have a heading: what is exported and not shown otherwise, and what these name. @param {Api} api */
function typesToShow(api) {
  const { entries, declarations } = api
  const names = new Set()
  /** @param {string} name */
  const take = (name) => {
    const found = declarations.get(name)
    if (found === undefined || names.has(name)) return
    names.add(name)
    if (DESCRIBED.includes(name)) return
    const parts = [...found.typeNames, ...found.members.flatMap(({ typeNames }) => typeNames)]
    for (const each of [...parts, ...found.parents]) take(each)
  }
  for (const name of Object.values(entries).flat()) take(name)
  return [...names].sort().filter((name) => {
    const { kind, type } = declarationOf(api, name)
    return ['interface', 'type'].includes(kind) && !ELSEWHERE.includes(name) && !isChoice(type)
  })
}

/** Where each type is: its own heading or, for options, the first function that takes them. @param {Api} api @param {readonly Entry[]} entries */
function anchorsOf(api, entries) {
  const anchors = new Map(typesToShow(api).map((name) => [name, anchorOf(name)]))
  const taken = new Set()
  for (const { anchor, signatures } of entries) {
    for (const { type } of signatures.flatMap(({ params }) => params)) {
      const isHome = /^\w+Options$/.test(type) && anchors.has(type) && !taken.has(type)
      if (isHome && declarationOf(api, type).kind === 'interface') anchors.set(type, anchor)
      taken.add(type)
    }
  }
  for (const { name, anchor, fields } of entries) if (fields.length > 0) anchors.set(name, anchor)
  return anchors.set('EmulatorEvents', 'events-and-their-payloads')
}

/**
 * docs/api.md.
 * @param {Api} api
 */
export function renderApiDocs(api) {
  const sections = sectionsOf(api)
  const anchors = anchorsOf(
    api,
    sections.flatMap(([, entries]) => entries),
  )
  const page = { declarations: api.declarations, anchors }
  const types = typesToShow(api).filter((name) => anchors.get(name) === anchorOf(name))
  const contents = sections.map(([topic, entries]) => [
    `[${topic}](#${anchorOf(topic)})`,
    entries.map(({ name, anchor }) => `[\`${name}\`](#${anchor})`).join(', '),
  ])
  const typeLinks = types.map((name) => `[\`${name}\`](#${anchorOf(name)})`).join(', ')
  return `${[
    INTRODUCTION,
    table(['topic', ''], [...contents, ['[Types](#types)', typeLinks]]),
    ...sections.flatMap(([topic, entries]) => [
      `## ${topic}`,
      ...entries.flatMap((each) => renderEntry(page, each)),
    ]),
    '## Events and their payloads',
    linked(declarationOf(api, 'EmulatorEvents').comment?.summary ?? ''),
    renderFields(page, membersOf(page, 'EmulatorEvents')),
    '## Types',
    ...types.flatMap((name) => renderType(page, name)),
  ].join('\n\n')}\n`
}
