// Impersonation of accounts and signatures, under its names in Hardhat and anvil.

import {
  impersonate,
  impersonateAll,
  impersonateSignature as overrideSigner,
  stopImpersonating,
  stopImpersonatingAll,
} from '../../node/control/wallet.ts'
import { unchanged } from '../../node/events.ts'
import { signature } from '../codecs/accounts.ts'
import { address, boolean } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { acknowledgedEdit } from '../flavor/acknowledge.ts'
import { defineCommand } from '../method.ts'

const EXAMPLE_ACCOUNT = '0x1111111111111111111111111111111111111111'

const impersonateAccount = defineCommand({
  summary:
    'Impersonates an account: its transactions need no key from now on, even if it is a contract. It pays for its gas.',
  params: [required('address', address)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [EXAMPLE_ACCOUNT] },
  handle: (session, account) => acknowledgedEdit(session, (state) => impersonate(state, account)),
})

export {
  impersonateAccount as anvil_impersonateAccount,
  impersonateAccount as ganache_impersonateAccount,
  impersonateAccount as hardhat_impersonateAccount,
}

const stopImpersonatingAccount = defineCommand({
  summary: 'Ends the impersonation of an account.',
  params: [required('address', address)],
  result: 'null; in flavors hardhat and ganache, whether it was impersonated',
  example: { params: [EXAMPLE_ACCOUNT] },
  async handle({ node, options }, account) {
    const wasImpersonated = await node.execute((state) => ({
      ...unchanged(stopImpersonating(state, account)),
      result: state.controls.impersonated.has(account),
    }))
    return options.flavor === 'anvil' ? null : wasImpersonated
  },
})

export {
  stopImpersonatingAccount as anvil_stopImpersonatingAccount,
  stopImpersonatingAccount as ganache_stopImpersonatingAccount,
  stopImpersonatingAccount as hardhat_stopImpersonatingAccount,
}

const autoImpersonateAccount = defineCommand({
  summary: 'Impersonates every account (true), or only those named one by one (false).',
  params: [required('isEnabled', boolean)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [true] },
  handle: (session, isEnabled) =>
    acknowledgedEdit(session, isEnabled ? impersonateAll : stopImpersonatingAll),
})

export {
  autoImpersonateAccount as anvil_autoImpersonateAccount,
  autoImpersonateAccount as hardhat_autoImpersonateAccount,
}

export const anvil_impersonateSignature = defineCommand({
  summary: 'Makes ecrecover return an account for a signature (r, s, v), whatever the message.',
  params: [required('signature', signature), required('address', address)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [`0x${'11'.repeat(64)}1b`, EXAMPLE_ACCOUNT] },
  handle: (session, bytes, account) =>
    acknowledgedEdit(session, (state) => overrideSigner(state, bytes, account)),
})
