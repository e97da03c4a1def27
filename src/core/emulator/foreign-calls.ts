// The prototype of emulators: functions of other libraries, which refuse (docs/decisions/0041-foreign-calls.md).

import { failure } from '../primitives/errors.ts'
import { METHODS } from '../rpc/registry.ts'

/**
 * Counterparts of functions of viem, ethers, hardhat-network-helpers, Foundry, Ganache, Tevm and fake timers. Without
 * names that libraries look for in a provider, and use where they are: `off`, `once`, `enable`, `disconnect`,
 * `accounts`, `chainId`, `then`.
 */
const INSTEAD: Readonly<Record<string, string>> = {
  'request(method, params)': 'send sendAsync rpc',
  'advance(200)': 'tick tickAsync advanceTimersByTime advanceTime wait sleep',
  'increaseTime({ seconds: 60 })': 'increase skip',
  'setTime(1_735_689_600)': 'increaseTo warp setSystemTime',
  'mine(1)': 'mineBlock mineBlocks mineUpTo roll tevmMine',
  'snapshot()': 'takeSnapshot loadFixture',
  'revert(chain.snapshot())': 'restore',
  'impersonate(address)': 'impersonateAccount prank startPrank',
  'stopImpersonating(address)': 'stopImpersonatingAccount stopPrank',
  'setBalance(address, 10n ** 18n)': 'fund setAccount',
  'setStorageAt(address, slot, value)': 'setStorage store',
  'setNextBlockBaseFee(fee)': 'setNextBlockBaseFeePerGas',
  'setNextBlockPrevRandao(value)': 'setPrevRandao',
  'listAccounts()': 'getAccounts getSigners getAddresses getWalletClients',
  'dump()': 'dumpState',
  'load(state)': 'loadState',
  'outcome(hash)': 'waitForTransaction waitForTransactionReceipt',
  "on('partialBlock', listener)": 'addListener addEventListener',
  "subscribe('logs', { address }, listener)": 'watchEvent watchContractEvent',
  'dispose()': 'close stop destroy',
  'fetch(request)': 'listen',
  "request('eth_blockNumber')": 'getBlockNumber',
  "request('eth_chainId')": 'getChainId getNetwork',
  "request('eth_gasPrice')": 'getGasPrice getFeeData',
  "request('eth_call', params)": 'readContract simulateContract tevmCall tevmContract',
  "request('eth_sendTransaction', params)": 'writeContract deployContract tevmDeploy',
  "request('eth_getBlockByNumber', ['latest', false])": 'getBlock',
  "request('eth_getTransactionByHash', [hash])": 'getTransaction',
}

/** Methods that libraries have as functions. */
const ACTION = /^eth_(?:(?:get|send|estimate|sign)\w+|sign|call)$/

export const FOREIGN_CALLS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(METHODS)
    .filter((method) => ACTION.test(method))
    .map((method) => [method.slice('eth_'.length), `request('${method}', params)`] as const),
  ...Object.entries(INSTEAD).flatMap(([right, names]) =>
    names.split(' ').map((name) => [name, right] as const),
  ),
])

function refusal(call: string, right: string): () => never {
  return () => {
    const reason = `a chain has no such function; for example: chain.${right}`
    throw failure('invalidCall', { call, reason })
  }
}

/** Prototype of every emulator. With the constructor of plain objects, prints show one. */
export const FOREIGN_CALLS_REFUSED: object = {}
// Writable, so that a test may give its chain what another library expects.
const property: PropertyDescriptor = { value: Object, writable: true, configurable: true }
Object.defineProperty(FOREIGN_CALLS_REFUSED, 'constructor', property)
// Not by lists of lists, which took twice as long: this is done in every process.
for (const [name, right] of FOREIGN_CALLS) {
  property.value = refusal(name, right)
  Object.defineProperty(FOREIGN_CALLS_REFUSED, name, property)
}
