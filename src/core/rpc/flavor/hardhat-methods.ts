// Parameters of Hardhat's methods, as it reads them (EDR 0.22, crates/edr_provider/src/requests/methods.rs).

import {
  address,
  blockSpec,
  bool,
  type Check,
  data,
  fixedBytes,
  invalidType,
  map,
  nonce,
  oldBlockSpec,
  option,
  placed,
  property,
  quantity,
  sequence,
  storageKey,
  storageSlot,
  storageValue,
  struct,
  timestamp,
  uint,
  untagged,
  variableBytes,
} from './hardhat-arguments.ts'

const hash = fixedBytes(32)
const account = fixedBytes(20)

const accessList = sequence((entry) => {
  const message = struct('AccessListItem', { address: account, storageKeys: sequence(hash) })(entry)
  if (message !== undefined) return message
  const missing = ['address', 'storageKeys'].find((name) => !Object.hasOwn(entry as object, name))
  return missing === undefined ? undefined : `missing field \`${missing}\``
})

const TRANSACTION_FIELDS = {
  from: option(account),
  to: option(account),
  gas: option(uint(8)),
  gasPrice: option(uint(16)),
  maxFeePerGas: option(uint(16)),
  maxPriorityFeePerGas: option(uint(16)),
  value: option(uint(32)),
  data: option(variableBytes),
  input: option(variableBytes),
  nonce: option(uint(8)),
  chainId: option(uint(8)),
  type: option(uint(1)),
  accessList: option(accessList),
}

const callRequest = struct('L1CallRequest', TRANSACTION_FIELDS)
const transactionRequest = struct('L1RpcTransactionRequest', TRANSACTION_FIELDS)

const slots = map(['Storage slot hex string', hash], ['Storage slot', () => undefined])

function slotsOf(name: string): Check {
  return option((value) => placed(`stateOverrideOptions/${name}: `, slots(value)))
}

const overrides = map(
  ['address', account],
  [
    'stateOverrideOptions',
    struct('AccountOverrideOptions', {
      balance: option(property('balance', 32)),
      nonce: option(property('nonce', 8)),
      code: option(variableBytes),
      state: slotsOf('state'),
      stateDiff: slotsOf('stateDiff'),
    }),
  ],
)

const oneOrMore = (item: Check): Check => untagged('OneOrMore', item, sequence(item))

const logFilter = struct('LogFilterOptions', {
  fromBlock: option(blockSpec),
  toBlock: option(blockSpec),
  blockHash: option(hash),
  address: option(oneOrMore(account)),
  topics: option(sequence(option(oneOrMore(hash)))),
})

const wholeNumber: Check = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? undefined : 'not a whole number'

const intervalForm = untagged('IntervalConfig', wholeNumber, (value) =>
  Array.isArray(value) && value.length === 2 ? sequence(wholeNumber)(value) : 'not a range',
)

const interval: Check = (value) => {
  const message = intervalForm(value)
  if (message !== undefined || !Array.isArray(value)) return message
  return value[0] > value[1] ? 'Minimum value in range is greater than maximum value' : undefined
}

const percentile: Check = (value) => (typeof value === 'number' ? undefined : invalidType(value, 'f64'))

function isTypedData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { types, domain, primaryType } = value as Readonly<Record<string, unknown>>
  const areObjects = [types, domain].every((each) => typeof each === 'object' && each !== null)
  return areObjects && typeof primaryType === 'string' && Object.hasOwn(value, 'message')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const INVALID_TYPED_DATA = 'The message parameter is an invalid JSON.'

const typedData: Check = (value) =>
  isTypedData(typeof value === 'string' ? parsed(value) : value) ? undefined : INVALID_TYPED_DATA

const SUBSCRIPTIONS: ReadonlySet<unknown> = new Set(['newHeads', 'logs', 'newPendingTransactions'])

const subscription: Check = (value) => {
  if (typeof value !== 'string') return invalidType(value, 'a string')
  return SUBSCRIPTIONS.has(value) ? undefined : 'Invalid subscription type'
}

/** No parameters, exactly one, or several, of which the last may be absent. */
export type Signature =
  | { readonly form: 'none' }
  | { readonly form: 'one'; readonly check: Check }
  | {
      readonly form: 'several'
      /** Hardhat's name of the method. */
      readonly name: string
      readonly checks: readonly Check[]
      readonly least: number
    }

const none: Signature = { form: 'none' }

function one(check: Check): Signature {
  return { form: 'one', check }
}

function several(name: string, checks: readonly Check[], least = checks.length): Signature {
  return { form: 'several', name, checks, least }
}

const ofAccount = (name: string): Signature => several(name, [address, option(blockSpec)], 1)

/** Methods that Hardhat refuses whatever their parameters, though this library has them. */
export const ABSENT: ReadonlySet<string> = new Set([
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_hashrate',
  'eth_protocolVersion',
  'eth_signTransaction',
  'eth_signTypedData',
])

export const SIGNATURES: ReadonlyMap<string, Signature> = new Map(
  Object.entries({
    eth_accounts: none,
    eth_blobBaseFee: none,
    eth_blockNumber: none,
    eth_call: several('Call', [callRequest, option(blockSpec), option(overrides)], 1),
    eth_chainId: none,
    eth_coinbase: none,
    eth_estimateGas: several('EstimateGas', [callRequest, option(blockSpec)], 1),
    eth_sign: several('EthSign', [address, variableBytes]),
    eth_feeHistory: several('FeeHistory', [uint(32), blockSpec, sequence(percentile)]),
    eth_gasPrice: none,
    eth_getBalance: ofAccount('GetBalance'),
    eth_getBlockByNumber: several('GetBlockByNumber', [oldBlockSpec, bool]),
    eth_getBlockByHash: several('GetBlockByHash', [hash, bool]),
    eth_getBlockTransactionCountByHash: one(hash),
    eth_getBlockTransactionCountByNumber: one(oldBlockSpec),
    eth_getCode: ofAccount('GetCode'),
    eth_getFilterChanges: one(uint(32)),
    eth_getFilterLogs: one(uint(32)),
    eth_getLogs: one(logFilter),
    eth_getStorageAt: several('GetStorageAt', [address, storageSlot, option(blockSpec)], 2),
    eth_getTransactionByBlockHashAndIndex: several('GetTransactionByBlockHashAndIndex', [hash, uint(32)]),
    eth_getTransactionByBlockNumberAndIndex: several('GetTransactionByBlockNumberAndIndex', [
      oldBlockSpec,
      uint(32),
    ]),
    eth_getTransactionByHash: one(hash),
    eth_getTransactionCount: ofAccount('GetTransactionCount'),
    eth_getTransactionReceipt: one(hash),
    eth_maxPriorityFeePerGas: none,
    net_version: none,
    eth_newBlockFilter: none,
    eth_newFilter: one(logFilter),
    eth_newPendingTransactionFilter: none,
    eth_pendingTransactions: none,
    eth_sendRawTransaction: one(variableBytes),
    eth_sendTransaction: one(transactionRequest),
    personal_sign: several('PersonalSign', [variableBytes, address]),
    eth_signTypedData_v4: several('SignTypedDataV4', [address, typedData]),
    eth_subscribe: several('Subscribe', [subscription, option(logFilter)], 1),
    eth_syncing: none,
    eth_uninstallFilter: one(uint(32)),
    eth_unsubscribe: one(uint(32)),
    web3_clientVersion: none,
    web3_sha3: one(variableBytes),
    evm_increaseTime: one(timestamp),
    evm_mine: several('EvmMine', [timestamp], 0),
    evm_revert: one(uint(8)),
    evm_setAutomine: one(bool),
    evm_setBlockGasLimit: one(uint(8)),
    evm_setIntervalMining: one(interval),
    evm_setNextBlockTimestamp: one(timestamp),
    evm_snapshot: none,
    hardhat_dropTransaction: one(hash),
    hardhat_getAutomine: none,
    hardhat_impersonateAccount: one(address),
    hardhat_metadata: none,
    hardhat_mine: several('Mine', [option(uint(8)), option(uint(8))], 0),
    hardhat_setBalance: several('SetBalance', [address, quantity]),
    hardhat_setCode: several('SetCode', [address, data]),
    hardhat_setCoinbase: one(account),
    hardhat_setLoggingEnabled: one(bool),
    hardhat_setMinGasPrice: one(uint(16)),
    hardhat_setNextBlockBaseFeePerGas: one(uint(16)),
    hardhat_setNonce: several('SetNonce', [address, nonce]),
    hardhat_setPrevRandao: one(hash),
    hardhat_setStorageAt: several('SetStorageAt', [address, storageKey, storageValue]),
    hardhat_stopImpersonatingAccount: one(address),
  }),
)
