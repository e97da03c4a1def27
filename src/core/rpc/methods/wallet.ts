// Wallet methods for applications, with call bundles, of a wallet that approves every request it supports.

import { heldAccounts } from '../../node/control/wallet.ts'
import { Steps } from '../../node/events.ts'
import { findTransaction, requireBlock } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { submitTransaction } from '../../node/production/submit.ts'
import { failure } from '../../primitives/errors.ts'
import { type Hash, toQuantity } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import * as basic from '../codecs/basic.ts'
import { type Codec, optional, refuse, required, uint64 } from '../codecs/codec.ts'
import { converted, or, recordCodec, type ValueOf } from '../codecs/object.ts'
import { type TransactionRequest, transactionRequest } from '../codecs/overrides.ts'
import { formatReceipt } from '../format/receipt.ts'
import { defineCommand, defineRead, outcomeWith } from '../method.ts'
import { fillAndSign, fillTransaction, requestSender } from '../requests/fill-transaction.ts'
import { type ReadContext, readContext, type Session } from '../session.ts'
import { FIRST_ACCOUNT } from './examples.ts'

/** An object with a chain id; other fields are ignored. */
const chainReference: Codec<bigint, { readonly chainId: string }> = {
  name: 'object with chainId',
  decode: (value, path) => basic.requiredField(basic.asRecord(value, path), 'chainId', uint64, path),
}

const MAX_CALLS = 1000

/** EIP-5792: 4096 bytes, in hex. */
const MAX_ID_LENGTH = 2 + 2 * 4096

const bundleId = basic.identityCodec(
  `a string of up to ${MAX_ID_LENGTH} characters`,
  (value): value is string => typeof value === 'string' && value.length <= MAX_ID_LENGTH,
  'string',
)

const requiredCapabilities = converted(basic.anyObject, (value) =>
  Object.entries(value)
    .filter(([, capability]) => (capability as { optional?: unknown } | null)?.optional !== true)
    .map(([name]) => name),
)

const bundleFields = recordCodec(
  {
    calls: or(basic.arrayOf(transactionRequest, MAX_CALLS), []),
    id: bundleId,
    from: basic.address,
    chainId: uint64,
    atomicRequired: or(basic.boolean, false),
    capabilities: or(requiredCapabilities, []),
  },
  'call bundle',
  'refused if misspelt',
)

type WalletBundle = ValueOf<typeof bundleFields>

const callBundle: Codec<WalletBundle, object> = converted(bundleFields, (bundle, path) =>
  bundle.calls.length === 0 ? refuse(`${path}.calls`, 'expected at least one call') : bundle,
)

/** A later call that names no gas gets at least 1/20 of the block gas limit. */
const GAS_LIMIT_DIVISOR = 20n

/** Sets the gas of a later call. An estimate cannot see the effects of the earlier calls, so there is a minimum. */
async function withGas(session: Session, state: NodeState, request: TransactionRequest) {
  // The estimate may fail because the earlier calls have not run yet.
  const context = { ...readContext(session, state), tellConsole: () => {} }
  const sender = requestSender(context, request)
  if (request.gas !== undefined || sender === undefined) return request
  const least = requireBlock(state, 'pending').environment.gasLimit / GAS_LIMIT_DIVISOR
  const estimated = await fillTransaction(context, sender, request).then(
    ({ gasLimit }) => gasLimit,
    () => 0n,
  )
  return { ...request, gas: estimated > least ? estimated : least }
}

/** Submits a transaction for each call, in order. If one is refused, none is submitted. */
async function submitBundle(session: Session, state: NodeState, { from, calls }: WalletBundle) {
  const steps = new Steps(state)
  const hashes: Hash[] = []
  for (const call of calls) {
    const own = { ...call, from: from ?? call.from }
    const request = hashes.length === 0 ? own : await withGas(session, steps.state, own)
    const transaction = await fillAndSign(readContext(session, steps.state), request)
    steps.add(await submitTransaction(steps.state, transaction))
    hashes.push(transaction.hash)
  }
  return steps.finish(hashes)
}

/** An id in an error message: in full up to the length of our own ids. */
function showId(id: string): string {
  return id.length <= 66 ? id : describe(id)
}

/** The id that the application names, or a new one. Throws `duplicateBundle` if the id is taken. */
function nameBundle({ bundles }: Session, asked: string | undefined): string {
  if (asked !== undefined && bundles.has(asked)) throw failure('duplicateBundle', { id: showId(asked) })
  let number = bundles.size
  let id = asked
  while (id === undefined || bundles.has(id)) id = `0x${(++number).toString(16).padStart(64, '0')}`
  return id
}

function describeBundle(session: Session, state: NodeState, id: string) {
  const hashes = session.bundles.get(id)
  if (hashes === undefined) throw failure('unknownBundle', { id: showId(id) })
  const { present } = readContext(session, state)
  const found = hashes.map((hash) => findTransaction(state, hash))
  const outcomes = found.map((each) =>
    each === undefined ? 'gone' : 'executed' in each ? each.executed.receipt.status : 'pooled',
  )
  const has = (outcome: (typeof outcomes)[number]): boolean => outcomes.includes(outcome)
  // EIP-5792: 400 not included for good, 100 pending, 200 confirmed, 600 reverted in part, 500 completely.
  const status = has('gone') ? 400 : has('pooled') ? 100 : !has(0) ? 200 : has(1) ? 600 : 500
  const included = found.filter((each) => each !== undefined && 'executed' in each)
  return {
    version: '2.0.0',
    id,
    chainId: toQuantity(state.settings.chainId),
    status,
    atomic: false,
    receipts: included.map(({ view, executed }) => formatReceipt(present(view), executed)),
  }
}

export const wallet_switchEthereumChain = defineRead({
  summary: 'Switches to a chain (EIP-3326). Any but this one is refused.',
  params: [required('chain', chainReference)],
  result: 'null',
  example: { params: [{ chainId: '0x7a69' }] },
  handle({ state }, chainId): null {
    if (chainId !== BigInt(state.settings.chainId)) throw failure('unrecognizedChain', { chainId })
    return null
  },
})

export const wallet_addEthereumChain = defineRead({
  ...wallet_switchEthereumChain,
  summary: 'Adds a chain (EIP-3085). Any but this one is refused.',
})

function permissions({ state }: ReadContext) {
  const value = heldAccounts(state)
  return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value }] }]
}

export const wallet_getPermissions = defineRead({
  summary: 'The permissions that an application has: to see the accounts (EIP-2255).',
  result: 'array of permissions',
  handle: permissions,
})

export const wallet_requestPermissions = defineRead({
  summary: 'Requests permissions, which are always granted (EIP-2255).',
  params: [required('permissions', basic.anyObject)],
  result: 'array of permissions',
  handle: permissions,
})

export const wallet_revokePermissions = defineRead({
  summary: 'Revokes permissions. Has no effect: the emulator continues to grant them.',
  params: [required('permissions', basic.anyObject)],
  result: 'null',
  handle: () => null,
})

export const wallet_getSupportedExecutionPermissions = defineRead({
  summary: 'The permissions to execute that the wallet can grant (ERC-7715): none.',
  result: 'object, empty',
  handle: () => ({}),
})

export const wallet_getGrantedExecutionPermissions = defineRead({
  summary: 'The permissions to execute that the wallet has granted (ERC-7715): none.',
  result: 'array, empty',
  handle: () => [],
})

const refused = (method: string) => (): never => {
  throw failure('unsupportedMethod', { method })
}

export const wallet_requestExecutionPermissions = defineRead({
  summary:
    'Requests permissions to execute (ERC-7715). Refused with code 4200, as by a wallet that grants none.',
  params: [required('permissions', basic.arrayOf(basic.anyObject, 100))],
  result: 'never',
  example: {
    params: [[{ chainId: '0x7a69', to: FIRST_ACCOUNT, permission: { type: 'native-token-allowance' } }]],
    error: 'unsupportedMethod',
  },
  // Without accounts that are contracts there is nobody to hold a permission to.
  handle: refused('wallet_requestExecutionPermissions'),
})

export const wallet_grantPermissions = defineRead({
  summary: 'An earlier name of `wallet_requestExecutionPermissions`, which viem uses.',
  params: [required('permissions', basic.anyObject)],
  result: 'never',
  example: { params: [{ expiry: 1_577_840_461, permissions: [] }], error: 'unsupportedMethod' },
  handle: refused('wallet_grantPermissions'),
})

export const wallet_watchAsset = defineRead({
  summary: 'Accepts a token to watch (EIP-747). Has no effect.',
  params: [required('asset', basic.anyObject)],
  isParameterBare: true,
  result: 'true',
  example: { params: [{ type: 'ERC20', options: { address: FIRST_ACCOUNT } }] },
  handle: () => true,
})

export const wallet_getCapabilities = defineRead({
  summary: 'The capabilities of the wallet for call bundles, by chain (EIP-5792).',
  params: [required('address', basic.address), optional('chainIds', basic.arrayOf(uint64, 100), undefined)],
  result: 'object by chain id',
  handle({ state }, _account, chainIds) {
    const own = BigInt(state.settings.chainId)
    const isAsked = chainIds === undefined || chainIds.includes(own)
    return isAsked ? { [toQuantity(own)]: { atomic: { status: 'unsupported' } } } : {}
  },
})

export const wallet_sendCalls = defineCommand({
  summary:
    'Sends a bundle of calls in order, as one transaction each (EIP-5792). If one is refused, none is submitted.',
  params: [required('bundle', callBundle)],
  result: 'object with the id of the bundle',
  example: {
    params: [
      {
        version: '2.0.0',
        from: FIRST_ACCOUNT,
        chainId: '0x7a69',
        atomicRequired: false,
        calls: [{ to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: '0x1' }],
      },
    ],
  },
  handle(session, bundle) {
    const { chainId, atomicRequired, capabilities } = bundle
    if (atomicRequired) throw failure('atomicityNotSupported')
    const [capability] = capabilities
    if (capability !== undefined) throw failure('unsupportedCapability', { capability: describe(capability) })
    return session.node.execute(async (state) => {
      if (chainId !== undefined && chainId !== BigInt(state.settings.chainId))
        throw failure('unsupportedChainId', { chainId })
      const id = nameBundle(session, bundle.id)
      const submitted = await submitBundle(session, state, bundle)
      const effects = [() => session.bundles.set(id, submitted.result)]
      return { ...submitted, effects, result: { id } }
    })
  },
})

export const wallet_getCallsStatus = defineCommand({
  summary: 'The status of a call bundle (EIP-5792).',
  params: [required('id', bundleId)],
  result: 'object with status and receipts',
  example: { params: [`0x${'1'.padStart(64, '0')}`], error: 'unknownBundle' },
  handle: (session, id) =>
    session.node.execute((state) => {
      const status = describeBundle(session, state, id)
      // Clients that wait for the bundle ask again and again.
      const note = () => {
        for (const hash of session.bundles.get(id) ?? [])
          session.stalledWaits.notePoll('eth_getTransactionReceipt', [hash])
      }
      return outcomeWith(state, status, note)
    }),
})

export const wallet_showCallsStatus = defineCommand({
  summary: 'Shows the status of a call bundle to the user (EIP-5792). Has no effect.',
  params: [required('id', bundleId)],
  result: 'null',
  example: { params: [`0x${'1'.padStart(64, '0')}`], error: 'unknownBundle' },
  handle: ({ node, bundles }, id) =>
    node.execute((state) => {
      if (!bundles.has(id)) throw failure('unknownBundle', { id: showId(id) })
      return outcomeWith(state, null)
    }),
})
