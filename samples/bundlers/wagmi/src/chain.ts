// What a test has in place of a network and of the user's wallet: an emulator in the page, and the hands of the user.

import { announceProvider, createEmulator } from 'tickchain'
import { emulatorActions, emulatorConfig } from 'tickchain/viem'
import { createClient } from 'viem'
import { createConfig } from 'wagmi'
import { base } from 'wagmi/chains'
import { COUNTER, COUNTER_CODE } from './counter.ts'

export const chain = await createEmulator({
  genesis: { alloc: { [COUNTER.address]: { nonce: 1, code: COUNTER_CODE } } },
})
export const wallet = announceProvider(chain, window, { connected: false })

const settings = emulatorConfig(chain)

/** wagmi finds the announced wallet by itself; it does not have the second chain. */
export const config = createConfig({
  chains: [settings.chain, base],
  client: ({ chain: definition }) =>
    createClient({ ...settings, chain: definition }).extend(emulatorActions(chain)),
})

declare module 'wagmi' {
  interface Register {
    config: typeof config
  }
}

declare global {
  var underTest: { readonly chain: typeof chain; readonly wallet: typeof wallet }
}
globalThis.underTest = { chain, wallet }
