// toRevertWith: the revert of a call or a transaction, from an error of tickchain, viem or ethers, or from the block.

import { argument, refuseCall } from '../../../core/emulator/checks.ts'
import { type AbiSource, customErrors } from '../../../core/emulator/options/accounts.ts'
import { errorsIn } from '../../../core/emulator/tracing.ts'
import { type CustomErrors, withErrors } from '../../../core/execution/result/console-log.ts'
import { revertReason } from '../../../core/execution/result/revert-reason.ts'
import { toChecksumAddress } from '../../../core/primitives/crypto.ts'
import { type Address, bytesToHex, type Hex, hexToBytes, isHexBytes } from '../../../core/primitives/hex.ts'
import { namedReason } from '../../../core/rpc/transaction-outcome.ts'
import { expectFailure } from '../failure-trace.ts'
import * as subjects from './subject.ts'
import { differingArgs, type ExpectedArgs, showExpected, showExpectedArgs } from './values.ts'

/** The expected reason of a revert. */
export type ExpectedRevert =
  /** The whole text of an `Error`, the meaning of a `Panic`, or a custom error as a call. */
  | string
  | RegExp
  | {
      /** `Error`, `Panic`, or that of a custom error. */
      readonly name: string
      readonly args?: ExpectedArgs
      /** An ABI with the error, if it is not registered with the chain. */
      readonly abi?: AbiSource
    }

interface FoundRevert {
  readonly name: string | undefined
  readonly args: readonly unknown[]
  /** Names of its arguments, if an ABI is known. */
  readonly argNames: readonly string[]
  readonly reason: string | undefined
  readonly data: Hex
}

type Fields = Readonly<Record<string, unknown>>

/** An error and its causes, outermost first; clients nest them under several names. */
function causesOf(error: unknown): Fields[] {
  return [...errorsIn(error)] as Fields[]
}

/** The names of ethers' arguments, which it tells only if each has one. */
function namesInEthers(args: unknown): string[] {
  const { toObject } = (args ?? {}) as { readonly toObject?: () => object }
  try {
    return toObject === undefined ? [] : Object.keys(toObject.call(args))
  } catch {
    return []
  }
}

/** The error that a client has decoded with its own ABI: viem's `data`, ethers' `revert`. */
function decodedByClient(causes: readonly Fields[]) {
  for (const { data, revert } of causes) {
    const { errorName, name, args, abiItem } = (revert ?? data ?? {}) as Fields
    const found = errorName ?? name
    if (typeof found !== 'string') continue
    const { inputs = [] } = (abiItem ?? {}) as { readonly inputs?: readonly { readonly name?: string }[] }
    const argNames = abiItem === undefined ? namesInEthers(args) : inputs.map((input) => input.name ?? '')
    return { name: found, args: Array.from((args ?? []) as Iterable<unknown>), argNames }
  }
  return undefined
}

function explain(data: Hex, errors: CustomErrors): FoundRevert {
  const bytes = hexToBytes(data)
  const inputs = errors.get(data.slice(0, 10) as Hex)?.inputs ?? []
  const argNames = inputs.map(({ name }) => name)
  return { ...namedReason(bytes, errors), argNames, reason: revertReason(bytes, errors), data }
}

function revertIn(error: unknown, errors: CustomErrors): FoundRevert | undefined {
  const causes = causesOf(error)
  // The first that is a revert, by its code or message, and has data.
  const isRevert = ({ code, message, data }: Fields): boolean =>
    isHexBytes(data) && (code === 3 || code === 'CALL_EXCEPTION' || /revert/i.test(`${message}`))
  const found = causes.find(isRevert)
  if (found === undefined) return undefined
  const own = explain(found['data'] as Hex, errors)
  const theirs = own.name === undefined ? decodedByClient(causes) : undefined
  if (theirs === undefined) return own
  const reason = `${theirs.name}(${theirs.args.map(showExpected).join(', ')})`
  return { ...own, ...theirs, reason }
}

type Outcome =
  | {
      readonly kind: 'reverted'
      readonly subject: string
      readonly revert: FoundRevert
      /** `undefined` for a call. */
      readonly hash: Hex | undefined
    }
  // Undecided is also another failure: `.not` must not pass for a mistake of the test.
  | { readonly kind: 'succeeded' | 'undecided'; readonly subject: string; readonly words: string }

async function outcomeOfTransaction(
  matching: subjects.Matching,
  hash: Hex,
  errors: CustomErrors,
): Promise<Outcome> {
  const subject = `transaction ${hash}`
  const found = await subjects.locate(matching, hash)
  if (!('executed' in found)) return { kind: 'undecided', subject, words: found.words }
  const { failure, returnData } = found.executed
  if (failure === undefined) return { kind: 'succeeded', subject, words: 'It succeeded.' }
  if (failure !== 'execution reverted')
    return { kind: 'undecided', subject, words: `It failed otherwise: ${failure}.` }
  return { kind: 'reverted', subject, revert: explain(bytesToHex(returnData), errors), hash }
}

/** Throws an error that is no revert again if the matcher is negated, as hardhat-chai-matchers does. */
function outcomeOfError({ context }: subjects.Matching, error: unknown, errors: CustomErrors): Outcome {
  const subject = 'the call'
  const revert = revertIn(error, errors)
  const hash = causesOf(error).find(({ transactionHash }) => isHexBytes(transactionHash))?.['transactionHash']
  if (revert !== undefined) return { kind: 'reverted', subject, revert, hash: hash as Hex | undefined }
  if (context.isNot === true) throw error
  return {
    kind: 'undecided',
    subject,
    words: `It was refused otherwise: ${(error as Error)?.message ?? error}`,
  }
}

async function outcomeOf(
  matching: subjects.Matching,
  received: unknown,
  errors: CustomErrors,
): Promise<Outcome> {
  if (matching.context.promise === 'rejects' || received instanceof Error)
    return outcomeOfError(matching, received, errors)
  let settled: unknown
  try {
    settled = await subjects.awaitSubject(received)
  } catch (error) {
    return outcomeOfError(matching, error, errors)
  }
  const hash = subjects.hashIn(settled)
  const outcome = hash === undefined ? undefined : await outcomeOfTransaction(matching, hash, errors)
  // A call may return 32 bytes that look like a hash; it has not reverted.
  const isOfCall = received !== settled && outcome?.kind === 'undecided'
  if (
    outcome !== undefined &&
    !(isOfCall && (await subjects.locate(matching, hash as Hex)).status === 'unknown')
  )
    return outcome
  if (received === settled)
    return refuseCall(matching.matcher, 'a promise or a function that may reject, or a transaction', received)
  return { kind: 'succeeded', subject: 'the call', words: 'It did not reject.' }
}

function withAddresses(text: string, recase: (address: Address) => string): string {
  return text.replace(/\b0x[0-9a-fA-F]{40}\b/g, (address) => recase(address.toLowerCase() as Address))
}

/** A custom error's arguments are values, so the case of an address in them says nothing; a text is a text. */
function matchesReason({ name, reason }: FoundRevert, expected: string | RegExp): boolean {
  const isText = name === 'Error'
  if (typeof expected === 'string') {
    const plain = (text: string): string => (isText ? text : withAddresses(text, (address) => address))
    return reason !== undefined && plain(reason) === plain(expected)
  }
  // Without the stateful flags g and y.
  const pattern = new RegExp(expected.source, expected.flags.replace(/[gy]/g, ''))
  const shown = reason ?? ''
  return pattern.test(shown) || (!isText && pattern.test(withAddresses(shown, toChecksumAddress)))
}

function matches(revert: FoundRevert, expected: ExpectedRevert | undefined): boolean {
  if (expected === undefined) return true
  if (typeof expected === 'string' || expected instanceof RegExp) return matchesReason(revert, expected)
  const { name, args } = expected
  if (revert.name !== name) return false
  return args === undefined || differingArgs(revert.argNames, revert.args as never, args).length === 0
}

function showExpectedRevert(expected: ExpectedRevert | undefined): string {
  if (expected === undefined) return 'revert'
  if (typeof expected === 'string') return `revert with ${JSON.stringify(expected)}`
  if (expected instanceof RegExp) return `revert with what matches ${expected}`
  return `revert with ${expected.name}${showExpectedArgs(expected.args)}`
}

function showRevert({ name, reason, data }: FoundRevert): string {
  if (data === '0x') return 'It reverted without data.'
  if (reason === undefined)
    return `It reverted with a custom error that no ABI here has: ${data}. It takes { name, abi }, or chain.registerAbi`
  return `It reverted with ${name === 'Error' ? JSON.stringify(reason) : reason}`
}

/** Known custom errors: those of the chain and of the expectation's ABI. */
function errorsFor({ matcher, internals }: subjects.Matching, expected: unknown): CustomErrors {
  const known = internals.session.known.customErrors
  if (expected === undefined || typeof expected === 'string' || expected instanceof RegExp) return known
  const { name, abi } = (expected ?? {}) as { name?: unknown; abi?: unknown }
  const what = 'nothing, a text, a regular expression, or { name, args?, abi? }'
  if (typeof name !== 'string') return refuseCall(matcher, what, expected)
  if (abi === undefined) return known
  return withErrors(known, argument(matcher, 'abi', abi, customErrors))
}

export async function matchRevert(
  matching: subjects.Matching,
  received: unknown,
  expected: ExpectedRevert | undefined,
): Promise<subjects.MatchResult> {
  const outcome = await outcomeOf(matching, received, errorsFor(matching, expected))
  const words = [outcome.subject, showExpectedRevert(expected)] as const
  if (outcome.kind !== 'reverted') {
    if (outcome.kind === 'undecided') return subjects.undecided(matching, words, outcome.words)
    return subjects.resultOf(matching, false, words, outcome.words)
  }
  const { revert, hash } = outcome
  const isMatch = matches(revert, expected)
  if (hash !== undefined && isMatch && matching.context.isNot !== true)
    expectFailure(matching.internals.session, hash)
  // Hardhat's revertedWithCustomError takes the name alone.
  const isNameOnly = !isMatch && typeof expected === 'string' && expected === revert.name
  const hint = isNameOnly ? `. { name: '${expected}' } matches it with any arguments` : ''
  return subjects.resultOf(matching, isMatch, words, `${showRevert(revert)}${hint}`)
}
