// Wallet methods for applications. The emulator is a wallet for one chain that approves every request it supports.

import { heldAccounts } from '../../node/control/wallet.ts'
import { unchanged } from '../../node/events.ts'
import { failure } from '../../primitives/errors.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { address, arrayOf } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { uint64 } from '../codecs/numbers.ts'
import { anyObject, bundleId, callBundle, chainReference } from '../codecs/wallet.ts'
import { defineCommand, defineRead } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { describeBundle, nameBundle, showId, submitBundle } from '../requests/call-bundle.ts'
import { FIRST_ACCOUNT } from './examples.ts'

function expectOwnChain({ state }: ReadContext, chainId: bigint): null {
  if (chainId !== BigInt(state.settings.chainId)) throw failure('unrecognizedChain', { chainId })
  return null
}

export const wallet_switchEthereumChain = defineRead({
  summary: 'Switches to a chain (EIP-3326). Any but this one is refused.',
  params: [required('chain', chainReference)],
  beforeFork: 'handler',
  result: 'null',
  example: { params: [{ chainId: '0x7a69' }] },
  handle: expectOwnChain,
})

export const wallet_addEthereumChain = defineRead({
  summary: 'Adds a chain (EIP-3085). Any but this one is refused.',
  params: [required('chain', chainReference)],
  beforeFork: 'handler',
  result: 'null',
  example: { params: [{ chainId: '0x7a69' }] },
  handle: expectOwnChain,
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
  params: [required('permissions', anyObject)],
  beforeFork: 'handler',
  result: 'array of permissions',
  example: { params: [{ eth_accounts: {} }] },
  handle: permissions,
})

export const wallet_revokePermissions = defineRead({
  summary: 'Revokes permissions. Has no effect: the emulator continues to grant them.',
  params: [required('permissions', anyObject)],
  beforeFork: 'handler',
  result: 'null',
  example: { params: [{ eth_accounts: {} }] },
  handle: () => null,
})

/** Without accounts that are contracts there is nobody to hold a permission to. */
function refuseExecutionPermissions(method: string): never {
  throw failure('unsupportedMethod', { method })
}

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

export const wallet_requestExecutionPermissions = defineRead({
  summary:
    'Requests permissions to execute (ERC-7715). Refused with code 4200, as by a wallet that grants none.',
  params: [required('permissions', arrayOf(anyObject, 100))],
  beforeFork: 'handler',
  result: 'never',
  example: {
    params: [[{ chainId: '0x7a69', to: FIRST_ACCOUNT, permission: { type: 'native-token-allowance' } }]],
    error: 'unsupportedMethod',
  },
  handle: () => refuseExecutionPermissions('wallet_requestExecutionPermissions'),
})

export const wallet_grantPermissions = defineRead({
  summary: 'An earlier name of `wallet_requestExecutionPermissions`, which viem uses.',
  params: [required('permissions', anyObject)],
  beforeFork: 'handler',
  result: 'never',
  example: { params: [{ expiry: 1_577_840_461, permissions: [] }], error: 'unsupportedMethod' },
  handle: () => refuseExecutionPermissions('wallet_grantPermissions'),
})

export const wallet_watchAsset = defineRead({
  summary: 'Accepts a token to watch (EIP-747). Has no effect.',
  params: [required('asset', anyObject)],
  isParameterBare: true,
  beforeFork: 'handler',
  result: 'true',
  example: { params: [{ type: 'ERC20', options: { address: FIRST_ACCOUNT } }] },
  handle: () => true,
})

export const wallet_getCapabilities = defineRead({
  summary: 'The capabilities of the wallet for call bundles, by chain (EIP-5792).',
  params: [required('address', address), optional('chainIds', arrayOf(uint64, 100), undefined)],
  beforeFork: 'handler',
  result: 'object by chain id',
  example: { params: [FIRST_ACCOUNT] },
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
      if (chainId !== undefined && chainId !== BigInt(state.settings.chainId)) {
        throw failure('unsupportedChainId', { chainId })
      }
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
    session.node.execute((state) => ({ ...unchanged(state), result: describeBundle(session, state, id) })),
})

export const wallet_showCallsStatus = defineCommand({
  summary: 'Shows the status of a call bundle to the user (EIP-5792). Has no effect.',
  params: [required('id', bundleId)],
  result: 'null',
  example: { params: [`0x${'1'.padStart(64, '0')}`], error: 'unknownBundle' },
  handle: ({ node, bundles }, id) =>
    node.execute((state) => {
      if (!bundles.has(id)) throw failure('unknownBundle', { id: showId(id) })
      return { ...unchanged(state), result: null }
    }),
})
