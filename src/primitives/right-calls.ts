// Right calls in place of wrong ones, for messages: of functions whose arguments are often given otherwise, and of
// functions that other libraries have.

const RIGHT_CALLS: ReadonlyMap<string, string> = new Map([
  ['advance', 'advance(200)'],
  ['jump', 'jump(86_400_000)'],
  ['increaseTime', 'increaseTime({ seconds: 60 })'],
  ['setTime', 'setTime(1_735_689_600)'],
  ['setNextBlockTimestamp', 'setNextBlockTimestamp(1_735_689_600)'],
  ['setBlockTimestampInterval', 'setBlockTimestampInterval({ seconds: 12 })'],
  ['setIntervalMining', 'setIntervalMining({ ms: 12_000 })'],
  ['mine', 'mine(10, { intervalSeconds: 60 })'],
  ['closePartial', 'closePartial([hash])'],
  ['revert', 'revert(chain.snapshot())'],
  ['on', "on('partialBlock', listener)"],
  ['reorg', 'reorg({ depth: 1 })'],
  ['delayTransaction', 'delayTransaction(hash, { partials: 2 })'],
  ['subscribe', "subscribe('logs', { address }, listener)"],
  ['setBalance', 'setBalance(address, 10n ** 18n)'],
  ['impersonate', 'impersonate(address)'],
  ['unlockAccount', "unlockAccount(address, 'secret', { seconds: 60 })"],
])

/**
 * Functions of other libraries that a chain has not, and what it has instead: of EIP-1193's predecessors, viem's test
 * client, hardhat-network-helpers, ethers, Foundry, Ganache, Tevm and fake timers. Without names that libraries look for
 * in a provider and use where they are: `off`, `once`, `enable`, `disconnect`, `then`.
 */
const FOREIGN: Readonly<Record<string, string>> = {
  'request({ method, params })': 'send sendAsync rpc rawRequest',
  'advance(200)': 'tick tickAsync advanceTime advanceTimersByTime advanceTimersByTimeAsync wait sleep step',
  'next()': 'nextAsync advanceToNextTimer advanceTimersToNextTimer nextBlock',
  'increaseTime({ seconds: 60 })': 'increase skip timeTravel',
  'setTime(1_735_689_600)': 'increaseTo warp setSystemTime setNow',
  now: 'latest time timestamp currentTime getTime',
  'mine(1)': 'mineBlock mineBlocks mineUpTo roll tevmMine',
  'seal()': 'sealBlock commit',
  "setProduction('auto')": 'setAutoMine automine enableAutomine disableAutomine setMining',
  'snapshot()': 'takeSnapshot loadFixture createSnapshot',
  'revert(chain.snapshot())': 'restore revertTo restoreSnapshot',
  'impersonate(address)': 'impersonateAccount prank startPrank autoImpersonateAccount',
  'stopImpersonating(address)': 'stopImpersonatingAccount stopPrank',
  'setStorageAt(address, slot, value)': 'setStorage store',
  'setNextBlockBaseFee(fee)': 'setNextBlockBaseFeePerGas setBaseFee fee',
  'setNextBlockPrevRandao(value)': 'setPrevRandao prevrandao',
  'setBalance(address, 10n ** 18n)': 'setAccount tevmSetAccount fund faucet setBalances',
  'listAccounts()': 'accounts getAccounts getSigners getAddresses getInitialAccounts getWalletClients',
  'dump()': 'dumpState tevmDumpState exportState',
  'load(state)': 'loadState tevmLoadState importState',
  'clearPool()': 'dropAllTransactions removePoolTransactions',
  'outcome(hash)': 'waitForTransaction waitForTransactionReceipt',
  "on('partialBlock', listener)": 'addListener addEventListener',
  'removeListener(name, listener)': 'removeEventListener',
  "subscribe('logs', { address }, listener)": 'watch watchEvent watchContractEvent',
  'dispose()': 'close stop destroy kill shutdown',
  "request('eth_sendTransaction', [transaction])": 'sendTransaction sendUnsignedTransaction',
  "request('eth_sendRawTransaction', [raw])": 'sendRawTransaction broadcastTransaction',
  "request('eth_call', [call])": 'call tevmCall staticCall simulateContract readContract',
  "request('eth_estimateGas', [call])": 'estimateGas estimateContractGas',
  "request('eth_getBalance', [address])": 'getBalance tevmGetAccount getAccount',
  "request('eth_getTransactionCount', [address])": 'getTransactionCount getNonce',
  "request('eth_getCode', [address])": 'getCode getBytecode',
  "request('eth_getStorageAt', [address, slot])": 'getStorageAt getStorage',
  "request('eth_blockNumber')": 'blockNumber getBlockNumber',
  "request('eth_getBlockByNumber', ['latest', false])": 'getBlock',
  "request('eth_getTransactionByHash', [hash])": 'getTransaction',
  "request('eth_getTransactionReceipt', [hash])": 'getTransactionReceipt getReceipt',
  "request('eth_getLogs', [filter])": 'getLogs getContractEvents queryFilter',
  "request('eth_gasPrice')": 'getGasPrice',
  'settings.chainId': 'chainId getChainId getNetwork',
}

/** What a chain has in place of a function of another library, by the name of the latter. */
export const FOREIGN_CALLS: ReadonlyMap<string, string> = new Map(
  Object.entries(FOREIGN).flatMap(([right, names]) => names.split(' ').map((name) => [name, right] as const)),
)

/** The end of a message about a wrong call: how it is written right. */
export function rightCall(call: string): string {
  const right = RIGHT_CALLS.get(call) ?? FOREIGN_CALLS.get(call)
  return right === undefined ? '' : `; for example: chain.${right}`
}
