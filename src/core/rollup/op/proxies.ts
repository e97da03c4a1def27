// Predeploys behind proxies: where the proxy says its implementation is, and where genesis puts it.

import * as hex from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import { type Code, readAccount, type WorldState } from '../../state/world-state.ts'

/** EIP-1967. */
export const IMPLEMENTATION_SLOT: hex.Hash =
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
export const ADMIN_SLOT: hex.Hash = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

const PROXY_HASH = hex.hexToBytes('0xfa8c9db6c6cab7108dea276f4cd09d575674eb0852c0fa3187e59e98ef977998')

/** For few codes: two of each chain in use. */
const isProxy = memoizeLru(8, ({ hash }: Code) => hex.equalBytes(PROXY_HASH, hash))
const addressIn = memoizeLru(8, (value: Uint8Array) => hex.bytesToHex(hex.padLeft(value, 20)))

/** Where the implementation behind a predeploy is at genesis. */
export function implementationOf(predeploy: hex.Address): hex.Address {
  return `0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3${predeploy.slice(-4)}`
}

/** The implementation that a proxy points to; `undefined` for other code than the proxy's. */
export function implementationBehind(state: WorldState, proxy: hex.Address): hex.Address | undefined {
  const { code, storage } = readAccount(state, proxy)
  return isProxy(code) ? addressIn(storage.get(IMPLEMENTATION_SLOT) ?? hex.EMPTY_BYTES) : undefined
}
