// Rendering of docs/cheatcodes.md from the table of cheatcodes. Pure; a test compares its output with the file.

import { PREFACE } from './render-docs.js'

/** What is different of cheatcodes that are there in part. */
const PARTS = {
  broadcast: 'noted, and not sent',
  startBroadcast: 'noted, and not sent',
  broadcastRawTransaction: 'a frame that fails undoes what it has stored; no blob fee',
  executeTransaction:
    'a frame that fails undoes what it has stored; a later call to the same slots costs what it costs in another transaction',
  attachBlob: 'noted; refused together with a delegation',
  breakpoint: 'does nothing: there is no debugger',
  dumpState: 'accounts of the whole state, without those of the runner',

  parseJson: 'fields in the order of their names',
  parseToml: 'fields in the order of their names',
  pauseTracing: 'does nothing: traces show everything',
  resumeTracing: 'does nothing: traces show everything',
  randomBytes: 'at most 16 MiB',
  setEvmVersion: 'the opcodes of calls that follow; other rules stay those of the chain',
  transact: 'of the active fork, on the present state: forge leaves out what the test has changed there',
}

/** Cheatcodes that forge does not have. */
const OWN = {
  'sealPartialBlock()':
    'ends a partial block: what has happened is pre-confirmed, and what follows may be dropped',
  'dropPartialBlock()': 'takes back everything since the end of the last partial block',
  'sealBlock()':
    'seals a block; the next one is later by the time between blocks of the chain, with the milliseconds of `BaseTime` on Base',
  'reorg(uint256 depth)': 'takes back the last blocks that `sealBlock` has sealed, and goes on before them',
  'aliasOf(address l1Contract)':
    'the account on the layer 2 that messages of a contract of the layer 1 come from',
  'depositFromL1(address from, address to, uint256 value, bytes data)':
    'a message from the layer 1: mints the value for the sender, calls, and returns the success and the return data',
}

/** @param {string} signature */
function nameOf(signature) {
  return signature.slice(0, signature.indexOf('('))
}

/**
 * @param {readonly string[]} signatures
 * @param {ReadonlyMap<string, string>} refusals The reasons for which signatures are refused.
 */
export function renderCheatcodes(signatures, refusals) {
  const ours = Object.keys(OWN).map(nameOf)
  const forges = signatures.filter((signature) => !ours.includes(nameOf(signature)))
  /** @type {Map<string, string[]>} */
  const forms = new Map()
  for (const signature of forges) {
    const name = nameOf(signature)
    forms.set(name, [...(forms.get(name) ?? []), signature])
  }
  const unknown = [...Object.keys(PARTS).filter((name) => !forms.has(name))]
  if (unknown.length > 0) throw new Error(`there is no cheatcode ${unknown.join(', ')}`)
  const rows = [...forms]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, all]) => {
      const reason = refusals.get(/** @type {string} */ (all[0]))
      // `toString` is a property of every object.
      const part = Object.hasOwn(PARTS, name) ? PARTS[/** @type {keyof typeof PARTS} */ (name)] : undefined
      const here = reason !== undefined ? 'none' : part !== undefined ? 'partial' : 'full'
      return `| \`${name}\` | ${all.length} | ${here} | ${reason ?? part ?? ''} |`
    })
  const own = Object.entries(OWN).map(([signature, note]) => `| \`${signature}\` | ${note} |`)
  const refused = [...forms.values()].filter(([first]) => refusals.has(/** @type {string} */ (first))).length
  return `${PREFACE}

# Cheatcodes

Every cheatcode of \`Vm.sol\` of forge 1.7.1: ${forms.size} names in ${forges.length} forms, of which ${forms.size - refused} names are here. They work in Solidity tests, and in \`setUp\`, handlers and invariants of \`exploreContracts\`. Those that need files, variables, artifacts or forks get them from the options of the test runner; without them, they are refused.

A cheatcode that is refused reverts with \`vm.NAME:\` and the reason of the table.

| cheatcode | forms | here | |
|---|--:|---|---|
${rows.join('\n')}

## For a layer 2

Beside them, \`vm\` has cheatcodes of what only a layer 2 does. Declare them in an interface of your own at the same address. What is taken back is so for all accounts but the test, which remembers what it saw.

| cheatcode | what it does |
|---|---|
${own.join('\n')}
`
}
