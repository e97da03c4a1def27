// Functions of the emulator and JSON-RPC methods of the same meaning accept the same values and refuse others for the
// same reason, if both use a value's type: JSON has hex where a function has numbers, and no bigints.

import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { hostileValues } from '../rpc/hostile-values.ts'

interface Pair {
  readonly method: string
  /** The parameters of the method. */
  readonly params: (value: unknown) => readonly unknown[]
  readonly call: (chain: Emulator, value: never) => unknown
  /** Whether both sides use the type of a value. Default true. */
  readonly isShared?: (value: unknown) => boolean
  /** Values besides the hostile ones. */
  readonly more?: readonly unknown[]
  /** True where JSON-RPC takes larger numbers than the function, for Hardhat. */
  readonly hasOwnRange?: true
}

const address = `0x${'ab'.repeat(20)}`
const hash = `0x${'cd'.repeat(32)}`

const isText = (value: unknown): value is string => typeof value === 'string'
const isDecimal = (value: unknown): boolean => isText(value) && /^[0-9]+$/.test(value)
const isPrefixed = (value: string): boolean => value.startsWith('0x')
/** Counts and times are numbers in functions, where JSON has hex and digits besides. */
const noTexts = (value: unknown): boolean => !isText(value)
/** Quantities are hex or numbers in JSON; an amount of a function may be decimal digits. */
const noDigits = (value: unknown): boolean => !isDecimal(value)
/** A storage value is hex in JSON; in a function it may be a number. */
const onlyHex = (value: unknown): boolean => isText(value) && isPrefixed(value)
/** geth takes private keys without 0x. */
const prefixedOnly = (value: unknown): boolean => !isText(value) || isPrefixed(value)
/** Null is an absent parameter in JSON. */
const notNull = (value: unknown): boolean => value !== null

const first = (value: unknown): readonly unknown[] => [value]

const delays = [
  { blocks: 1 },
  { partials: 3 },
  { untilMs: 0 },
  { blocks: 0 },
  { partials: -1 },
  { untilMs: 1.5 },
  { blocks: [] },
  { blocks: 1, partials: 1 },
]
const error = { code: -32005, message: 'busy' }
const faults = [
  { method: 'eth_call', error },
  { method: ['eth_call', 'net_*'], status: 429, body: 'slow down', after: 1, every: 2, times: 3 },
  { method: 'eth_call', delayMs: 0, probability: 0.5 },
  { method: 'eth_call', blocksBehind: 1 },
  { method: 'eth_call' },
  { method: 'eth_noSuchMethod', error },
  { method: 'eth_call', error: { ...error, more: 1 } },
  { method: 'eth_call', error: { code: 'x', message: 'x' } },
  { method: 'eth_call', error: { ...error, data: '0x1' } },
  { method: 'eth_call', error, status: 500 },
  { method: 'eth_call', status: 200 },
  { method: 'eth_call', lost: 'both' },
  { method: 'eth_call', error, probability: 0 },
  { method: 'eth_call', error, times: 0 },
  { method: [], error },
  { methods: 'eth_call', error },
]

const pairs: readonly Pair[] = [
  { method: 'anvil_setBalance', params: (it) => [it, 1], call: (chain, it) => chain.setBalance(it, 1) },
  {
    method: 'anvil_setBalance',
    params: (it) => [address, it],
    call: (chain, it) => chain.setBalance(address as never, it),
  },
  {
    method: 'anvil_addBalance',
    params: (it) => [address, it],
    call: (chain, it) => chain.addBalance(address as never, it),
  },
  {
    method: 'anvil_setCode',
    params: (it) => [address, it],
    call: (chain, it) => chain.setCode(address as never, it),
  },
  {
    method: 'anvil_setNonce',
    params: (it) => [address, it],
    call: (chain, it) => chain.setNonce(address as never, it),
  },
  {
    method: 'anvil_setStorageAt',
    params: (it) => [address, it, '0x1'],
    call: (chain, it) => chain.setStorageAt(address as never, it, 1),
  },
  {
    method: 'anvil_setStorageAt',
    params: (it) => [address, '0x0', it],
    call: (chain, it) => chain.setStorageAt(address as never, 0, it),
    isShared: onlyHex,
  },
  { method: 'anvil_impersonateAccount', params: first, call: (chain, it) => chain.impersonate(it) },
  {
    method: 'anvil_stopImpersonatingAccount',
    params: first,
    call: (chain, it) => chain.stopImpersonating(it),
  },
  {
    method: 'anvil_impersonateSignature',
    params: (it) => [it, address],
    call: (chain, it) => chain.impersonateSignature(it, address as never),
    more: [`0x${'11'.repeat(64)}1b`, `0x${'11'.repeat(64)}`],
  },
  { method: 'personal_newAccount', params: first, call: (chain, it) => chain.newAccount(it) },
  {
    method: 'personal_importRawKey',
    params: (it) => [it, ''],
    call: (chain, it) => chain.importAccount(it, ''),
    isShared: prefixedOnly,
  },
  { method: 'evm_addAccount', params: (it) => [it, ''], call: (chain, it) => chain.addAccount(it, '') },
  { method: 'personal_lockAccount', params: first, call: (chain, it) => chain.lockAccount(it) },
  {
    method: 'personal_unlockAccount',
    params: (it) => ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '', it],
    call: (chain, it) =>
      chain.unlockAccount('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '', { seconds: it }),
    isShared: (it) => noTexts(it) && notNull(it),
  },
  {
    method: 'evm_increaseTime',
    params: first,
    call: (chain, it) => chain.increaseTime({ seconds: it }),
    isShared: noTexts,
  },
  {
    method: 'evm_setNextBlockTimestamp',
    params: first,
    call: (chain, it) => chain.setNextBlockTimestamp(it),
    isShared: noTexts,
    hasOwnRange: true,
    more: [1_800_000_000],
  },
  {
    method: 'evm_setBlockTimestampInterval',
    params: first,
    call: (chain, it) => chain.setBlockTimestampInterval({ seconds: it }),
    isShared: noTexts,
  },
  {
    method: 'anvil_mine',
    params: first,
    call: (chain, it) => chain.mine(it),
    isShared: (it) => noTexts(it) && notNull(it),
  },
  { method: 'evm_setAutomine', params: first, call: (chain, it) => chain.setAutomine(it) },
  { method: 'anvil_setCoinbase', params: first, call: (chain, it) => chain.setCoinbase(it) },
  {
    method: 'evm_setBlockGasLimit',
    params: first,
    call: (chain, it) => chain.setBlockGasLimit(it),
    isShared: noDigits,
  },
  {
    method: 'anvil_setNextBlockBaseFeePerGas',
    params: first,
    call: (chain, it) => chain.setNextBlockBaseFee(it),
    isShared: noDigits,
  },
  { method: 'miner_setExtra', params: first, call: (chain, it) => chain.setExtraData(it) },
  { method: 'anvil_setPrevRandao', params: first, call: (chain, it) => chain.setNextBlockPrevRandao(it) },
  {
    method: 'miner_setGasPrice',
    params: first,
    call: (chain, it) => chain.setMinimumTip(it),
    isShared: noDigits,
  },
  { method: 'anvil_setChainId', params: first, call: (chain, it) => chain.setChainId(it), isShared: noTexts },
  {
    method: 'tickchain_setOrdering',
    params: first,
    call: (chain, it) => chain.setOrdering(it),
    more: ['lifo'],
  },
  {
    method: 'tickchain_setPoolLimit',
    params: first,
    call: (chain, it) => chain.setPoolLimit(it),
    isShared: (it) => noTexts(it) && notNull(it),
  },
  { method: 'tickchain_delayTransaction', params: first, call: (chain, it) => chain.delayTransaction(it) },
  {
    method: 'tickchain_delayTransaction',
    params: (it) => [hash, it],
    call: (chain, it) => chain.delayTransaction(hash as never, it),
    isShared: notNull,
    more: delays,
  },
  {
    method: 'tickchain_releaseTransaction',
    params: first,
    call: (chain, it) => chain.releaseTransaction(it),
  },
  {
    method: 'tickchain_dropPreconfirmed',
    params: (it) => [[hash], it],
    call: (chain, it) => chain.dropPreconfirmed([hash as never], it),
    isShared: notNull,
    more: [{ at: 'seal' }, { at: 'later' }, { repool: true }, { repool: 1 }],
  },
  { method: 'tickchain_addFault', params: first, call: (chain, it) => chain.fault(it), more: faults },
  { method: 'tickchain_getTransactionOutcome', params: first, call: (chain, it) => chain.outcome(it) },
  { method: 'hardhat_dropTransaction', params: first, call: (chain, it) => chain.dropTransaction(it) },
]

const chain = await createEmulator({ limits: { stepsPerCall: 60 } })

const REFUSALS = ['invalidParameter', 'missingParameter', 'invalidCall']

interface Outcome {
  /** 'refused', another kind of error, or 'accepted'. */
  readonly kind: string
  /** Why it was refused, without the name of the argument. */
  readonly reason: string
}

async function outcomeOf(attempt: () => unknown): Promise<Outcome> {
  try {
    await attempt()
    return { kind: 'accepted', reason: '' }
  } catch (thrown) {
    if (!(thrown instanceof TickchainError)) throw thrown
    const { kind, message } = thrown
    if (!REFUSALS.includes(kind)) return { kind, reason: '' }
    const [, reason = message] =
      /^invalid (?:argument|call \w+:) [^:]*: (.*?)(?:; for example: .*)?$/s.exec(message) ?? []
    // The sides differ only in the notations of numbers.
    return { kind: 'refused', reason: reason.replace(/, as [a-z, ]+(?=, got)/, '') }
  }
}

/** Both outcomes of a value, on chains of their own. */
async function bothOf({ method, params, call }: Pair, value: unknown): Promise<readonly [Outcome, Outcome]> {
  const [here, there] = [chain.clone(), chain.clone()]
  return [
    await outcomeOf(() => here.request(method, params(value))),
    await outcomeOf(() => call(there, value as never)),
  ]
}

describe.each(pairs.map((pair) => [`${pair.method}, ${pair.params('…')}`, pair] as const))(
  '%s',
  (_, pair) => {
    test('and its function agree', { tags: 'gate' }, async () => {
      const { isShared = () => true, more = [], hasOwnRange = false } = pair
      const inWords = (reason = '') =>
        hasOwnRange ? reason.replace(/ from 0 to (2\^64 - 1|\d+)/, '') : reason
      const values = [...hostileValues, ...more.map((value) => ({ name: JSON.stringify(value), value }))]
      const kinds = new Set<string>()
      for (const { name, value } of values.filter(
        ({ value }) => typeof value !== 'bigint' && isShared(value),
      )) {
        const [wire, own] = await bothOf(pair, value)
        expect(own.kind, name).toBe(wire.kind)
        // What is missing has a code of its own in JSON-RPC.
        if (value !== null) expect(inWords(own.reason), name).toBe(inWords(wire.reason))
        kinds.add(wire.kind === 'refused' ? 'refused' : 'taken')
      }
      expect([...kinds].sort()).toEqual(['refused', 'taken'])
    })
  },
)
