// Features of Base's native contracts, which ActivationRegistry has on or off. Constants, because a chain knows of them
// before it loads the contracts.

import type { Address, Hash } from '../../primitives/hex.ts'
import { type Account, EMPTY_ACCOUNT, makeCode, setSlot } from '../../state/world-state.ts'
import { MARKER } from './port.ts'

export const ACTIVATION_REGISTRY: Address = '0x8453000000000000000000000000000000000001'
export const POLICY_REGISTRY: Address = '0x8453000000000000000000000000000000000002'

/** By feature, the hash of its name, such as `base.b20_asset`, and the slot that says whether it is on. */
export const FEATURES = {
  b20Asset: {
    id: '0xcdcc772fe4cbdb1029f822861176d09e646db96723d4c1e82ddfdeb8163ef54c',
    slot: '0x819420403a306232adb8ee78d9f35b5090371155b34376cf9b020e30029278e5',
  },
  b20Stablecoin: {
    id: '0xecfa0def2c10020caaf65e6155aa69c84b24892aaef76eeac52e0e2b3a0b8601',
    slot: '0xca7c276524c5aeaac4d56c8a3d36eb5f9a64f60841fb65b539c99c21ca7df109',
  },
  policyRegistry: {
    id: '0xb582ebae03f16fee49a6763f78df482fb11ae73f103ed0d330bbe556aa90a43f',
    slot: '0x8c5327ddcca092db72284503162323c6e8d392394b1d5c71991227bbc26f7c07',
  },
} as const satisfies Readonly<Record<string, Record<'id' | 'slot', Hash>>>

/** A feature of B20: the creation of assets, that of stablecoins, and changes of policies. */
export type B20Feature = keyof typeof FEATURES

export const B20_FEATURES = Object.keys(FEATURES) as readonly B20Feature[]

export function withFeature(registry: Account, feature: B20Feature, isOn: boolean): Account {
  const value = isOn ? Uint8Array.of(1) : new Uint8Array(0)
  const storage = setSlot(registry.storage, FEATURES[feature].slot, value)
  return { ...registry, code: makeCode(MARKER), storage }
}

const REGISTRIES: readonly Address[] = [ACTIVATION_REGISTRY, POLICY_REGISTRY]

/** The accounts of a chain that begins with features: both registries have code, for callers that look whether they do. */
export function nativeAccounts(features: readonly B20Feature[] = B20_FEATURES): [Address, Account][] {
  if (features.length === 0) return []
  const empty = { ...EMPTY_ACCOUNT, code: makeCode(MARKER) }
  const first = features.reduce((registry, feature) => withFeature(registry, feature, true), empty)
  return REGISTRIES.map((address) => [address, address === ACTIVATION_REGISTRY ? first : empty])
}
