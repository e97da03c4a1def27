// Names of options in other emulators, with words that complete "did you mean". Loaded when an option is refused.

import { failure, madeOf, type TickchainError } from '../../primitives/errors.ts'
import { OP_FORKS } from '../../rollup/op/forks.ts'

/** From a table of words and the names that stand for them, apart by spaces. */
function namesIn(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([own, names]) => names.split(' ').map((name) => [name, own] as const)),
  )
}

/** Options of anvil, Hardhat, Ganache and tevm by their names there. */
export const FOREIGN_NAMES: ReadonlyMap<string, string> = namesIn({
  allowedOrigins: 'cors corsOrigin origin',
  allowedHosts: 'vhosts',
  'fork: { upstream, block }': 'forking forkUrl forkBlockNumber url rpcUrl upstream',
  'chainId, beside fork': 'forkChainId',
  'chainId, hardfork or genesis': 'chain common',
  'blockTimeMs, in milliseconds': 'blockTime interval',
  "production: 'auto', 'interval' or 'manual'":
    'automine autoMine noMining mining miningConfig mixedMining instamine',
  'coinbase, or production': 'miner',
  'accounts.mnemonic': 'mnemonic',
  'accounts.path': 'derivationPath hdPath hd_path',
  'accounts.count': 'totalAccounts total_accounts',
  accounts: 'wallet',
  'accounts.privateKeys': 'privateKeys',
  'accounts.balance': 'balance defaultBalance default_balance_ether',
  'genesis.timestamp': 'timestamp time initialDate',
  'genesis.number': 'number startBlock',
  'genesis.alloc': 'alloc genesisState',
  'genesis.gasLimit': 'gasLimit blockGasLimit disableBlockGasLimit',
  'genesis.baseFeePerGas': 'baseFee baseFeePerGas initialBaseFeePerGas gasPrice minGasPrice',
  defaultTransactionGasLimit: 'gas',
  throwOnTransactionFailures: 'vmErrorsOnRPCResponse',
  allowUnlimitedContractSize: 'codeSizeLimit disableCodeSizeLimit',
  ordering: 'order',
  "rollup: { stack: 'op' }": 'optimism chainType',
  networkId: 'network_id',
  state: 'loadState',
  stateHistory: 'pruneHistory',
  finalizedLag: 'slotsInAnEpoch',
})

/** Names of what is no option here and has its place elsewhere; `settings` is a field of an emulator. */
const NO_OPTIONS = namesIn({
  'chain.clone(), which copies an emulator': 'settings',
  'a server that answers by chain.fetch (docs/recipes/http.md)': 'port host',
  "chain.impersonate('all')": 'autoImpersonate',
  'chain.impersonate(address)': 'unlocked_accounts unlockedAccounts',
  'chain.dump(), and the option state': 'dumpState database persister',
  'chain.setCode(address, code)': 'customPrecompiles',
  'createRollup of tickchain/rollup': 'l1 l2 chains',
  "chain.on('consoleLog', listener), as nothing is printed":
    'logging loggingLevel loggingEnabled silent quiet debug verbose',
})

const UPSTREAM = 'upstream: httpUpstream(url), of tickchain/upstream'

/** Fields of parts of the options, by the name of the part; in `fork`, forks of the protocol are another option. */
const OF_PARTS = new Map<string, ReadonlyMap<string, string>>([
  [
    'fork',
    new Map<string, string>([
      ...namesIn({ [UPSTREAM]: 'url jsonRpcUrl network provider transport', block: 'blockNumber blockTag' }),
      ...OP_FORKS.map((name) => [name, `rollup.fork.${name}`] as const),
    ]),
  ],
  [
    'accounts',
    namesIn({
      balance: 'accountsBalance defaultBalance',
      count: 'totalAccounts',
      path: 'hdPath derivationPath',
    }),
  ],
  ['genesis', new Map()],
  ['limits', new Map()],
  ['rollup', new Map()],
])

/** An upstream of a provider of ethers, which has no `request`. */
const OF_ETHERS = 'of ethers, { request: ({ method, params }) => provider.send(method, params) }'

/** The options that were meant by something else than an object. */
function optionsMeant(reason: string): string | undefined {
  if (reason.endsWith('got a function')) return 'what it returns, as of base()'
  if (/got "(?:https?|wss?):/.test(reason))
    return '{ fork: { upstream: httpUpstream(url) } }, of tickchain/upstream'
  return reason.endsWith('got "auto"') ? "{ production: 'auto' }" : undefined
}

/** The error of a refused option, with what was meant if its name is another emulator's. */
export function explainOption(error: TickchainError): TickchainError {
  const { option, reason } = (madeOf(error)?.detail ?? { option: '', reason: '' }) as {
    option: string
    reason: string
  }
  const [name = '', part = ''] = option.split('.').reverse()
  if (part === 'fork' && name === 'upstream' && reason.endsWith('got an object'))
    return failure('invalidOption', { option, reason: `${reason}; ${OF_ETHERS}` })
  const whole = option === 'options' ? optionsMeant(reason) : undefined
  if (whole !== undefined)
    return failure('invalidOption', { option, reason: `${reason}; did you mean ${whole}?` })
  const meant = OF_PARTS.has(part)
    ? OF_PARTS.get(part)?.get(name)
    : (FOREIGN_NAMES.get(name) ?? NO_OPTIONS.get(name))
  if (meant === undefined || meant === option || !reason.includes('unknown field')) return error
  return failure('invalidOption', { option, reason: `unknown field, did you mean ${meant}?` })
}
