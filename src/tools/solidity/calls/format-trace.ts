// Decoded traces as text, in the form of `forge test -vvvv`.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import { toChecksumAddress } from '../../../core/primitives/crypto.ts'
import { readArgument } from '../../../core/primitives/errors.ts'
import * as terminal from '../../../core/primitives/terminal.ts'
import { countBytes, escapeTexts } from '../../../core/primitives/text-of.ts'
import type * as traces from '../../../core/rpc/call-trace.ts'

import { valuesText } from './decode-calls.ts'

const COLORS = {
  success: terminal.painter(32),
  failure: terminal.painter(31),
  event: terminal.painter(36),
  note: terminal.painter(33),
}
const PLAIN: Palette = {
  success: terminal.plain,
  failure: terminal.plain,
  event: terminal.plain,
  note: terminal.plain,
}

type Palette = Readonly<Record<keyof typeof COLORS, terminal.Paint>>

/** Hex of an unknown call or event, up to this many digits. */
const MOST_HEX_DIGITS = 128

export function shortHex(hex: string): string {
  const digits = hex.replace(/^0x/, '')
  return digits.length > MOST_HEX_DIGITS ? `${digits.slice(0, MOST_HEX_DIGITS)}…` : digits
}

const SUFFIXES: Readonly<Partial<Record<traces.TracedCall['kind'], string>>> = {
  STATICCALL: ' [staticcall]',
  DELEGATECALL: ' [delegatecall]',
  CALLCODE: ' [callcode]',
}

/** The arguments of a call, or what no ABI decodes of its input, as hex. */
export function argumentsText(
  call: traces.TracedCall,
  show = ({ text }: traces.TracedValue) => text,
): string {
  const { functionName, args, input, name } = call
  if (args.length > 0 || isCreation(call)) return args.map(show).join(', ')
  if (functionName === undefined) return shortHex(input.slice(10))
  const rest = functionName !== 'fallback' && name !== 'precompiles' ? input.slice(10) : input.slice(2)
  return rest === '' ? '' : `0x${shortHex(rest)}`
}

function headOf(call: traces.TracedCall, paint: terminal.Paint): string {
  const { kind, name, to, from, value, functionName, gasUsed } = call
  const gas = `[${gasUsed}] `
  const address = toChecksumAddress(to)
  if (kind === 'SELFDESTRUCT')
    return `${gas}${paint('selfdestruct')} of ${toChecksumAddress(from)}, ${value} wei to ${name ?? address}`
  if (isCreation(call)) {
    const given = call.args.length === 0 ? '' : `(${argumentsText(call)})`
    const paid = value === 0n ? '' : `{value: ${value}}`
    return `${gas}→ new ${paint(name ?? '<unknown>')}@${address}${paid}${given}`
  }
  const paid = value === 0n || kind === 'DELEGATECALL' ? '' : `{value: ${value}}`
  const given = `(${argumentsText(call)})`
  const called =
    functionName === undefined
      ? `${call.input.slice(2, 10)}${given}${paid}`
      : `${paint(functionName)}${paid}${given}`
  return `${gas}${paint(name ?? address)}::${called}${SUFFIXES[kind] ?? ''}`
}

function resultOf(call: traces.TracedCall, { success, failure }: Palette): string {
  const { error, results, output } = call
  if (error !== undefined) {
    const isRevert = error.name !== undefined || error.message === 'execution reverted' || output !== '0x'
    const label = isRevert ? '[Revert]' : '[Halt]'
    return `← ${failure(label)} ${error.name === 'Panic' ? error.text : error.message}`
  }
  const bytes = (output.length - 2) / 2
  if (isCreation(call)) return `← ${success('[Return]')} ${countBytes(bytes)} of code`
  if (results !== undefined && results.length > 0)
    return `← ${success('[Return]')} ${results.map(({ text }) => text).join(', ')}`
  return bytes === 0 ? `← ${success('[Stop]')}` : `← ${success('[Return]')} 0x${shortHex(output)}`
}

/** The place of a change: the variable, or the slot. */
export function placeText({ name, slot }: Pick<traces.StorageChange, 'name' | 'slot'>): string {
  return name ?? `slot ${BigInt(slot) < 1n << 64n ? BigInt(slot) : slot}`
}

function eventLines({ name, args, topics, data }: traces.TracedEvent, paint: terminal.Paint): string[] {
  if (name !== undefined) return [`emit ${paint(name)}(${valuesText(args)})`]
  const lines = topics.map(
    (topic, index) => `${index === 0 ? ' emit ' : '       '}topic ${index}: ${paint(topic)}`,
  )
  return [...lines, `${topics.length === 0 ? ' emit ' : '          '}data: 0x${shortHex(data)}`]
}

function storageLines(changes: readonly traces.StorageChange[], paint: terminal.Paint): string[] {
  if (changes.length === 0) return []
  const shown = changes.map((each) => `  ${placeText(each)}: ${each.before} → ${each.after}`)
  return [paint('storage changes:'), ...shown]
}

function entryLines(entry: traces.TracedCall['entries'][number], palette: Palette): string[] {
  if (entry.type === 'call') return callLines(entry, palette)
  if (entry.type === 'event') return eventLines(entry, palette.event)
  const [first = '', ...rest] = entry.message.split('\n')
  return [`${palette.note('console.log:')} ${first}`, ...rest.map((line) => `              ${line}`)]
}

/** Hangs the lines of a part on a branch of the tree. */
function hang([first = '', ...rest]: readonly string[], isLast: boolean): string[] {
  return [`  ${isLast ? '└─' : '├─'} ${first}`, ...rest.map((line) => `  ${isLast ? ' ' : '│'} ${line}`)]
}

function callLines(call: traces.TracedCall, palette: Palette): string[] {
  const paint = call.error === undefined ? palette.success : palette.failure
  const changes = storageLines(call.storage, palette.note)
  const parts = [
    ...call.entries.map((entry) => entryLines(entry, palette)),
    ...(changes.length === 0 ? [] : [changes]),
    ...(call.kind === 'SELFDESTRUCT' ? [] : [[resultOf(call, palette)]]),
  ]
  const hung = parts.flatMap((part, index) => hang(part, index === parts.length - 1))
  return [headOf(call, paint), ...hung]
}

/** The branches of the tree that go on below a line, and room for what is broken off from it. */
function branchesOf(line: string): string {
  const [tree = ''] = /^[ │├└─]*/.exec(line) ?? []
  return `${tree.replace(/├─/g, '│ ').replace(/└─/g, '  ').trimEnd().padEnd(tree.length)}  `
}

/**
 * A trace as text: a tree of calls with gas, arguments, events, console.log lines, changes of storage and results, in
 * the form of `forge test -vvvv`.
 *
 * @param trace What `chain.trace` resolves to.
 * @param format Its colours and its width.
 * @throws TickchainError `invalidCall`, `invalidOption`
 * @see Foundry, `forge test -vvvv`
 * @example
 * await chain.advance(200)
 * const trace = await chain.trace(hash)
 * formatTrace(trace) // => '  [0] 0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa::receive{value: 1}()\n    └─ ← [Stop]'
 */
export function formatTrace(trace: traces.CallTrace, format: terminal.TerminalFormat = {}): string {
  return readArgument(
    'formatTrace',
    'what chain.trace resolves to, and a format',
    () => {
      const { color, width } = terminal.checkFormat(format)
      const lines = callLines(escapeTexts(trace.call), color === true ? COLORS : PLAIN)
      const cut = trace.isCut ? ['⋮ the rest is left out: it has more entries than limits.traceEntries'] : []
      return [...lines, ...cut]
        .flatMap((line) => terminal.breakLine(`  ${line}`, width, branchesOf))
        .join('\n')
    },
    trace,
  )
}
