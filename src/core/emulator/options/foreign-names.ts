// Options of anvil, Hardhat and ganache by their names there, and what stands for them here.

const BLOCK_TIME = 'blockTimeMs, in milliseconds'
const PRODUCTION = "production: 'auto', 'interval' or 'manual'"
const FORK = 'fork: { upstream, block }'

/** Completes the words "did you mean". */
export const FOREIGN_NAMES: ReadonlyMap<string, string> = new Map([
  ['cors', 'allowedOrigins'],
  ['corsOrigin', 'allowedOrigins'],
  ['origin', 'allowedOrigins'],
  ['vhosts', 'allowedHosts'],
  ['forking', FORK],
  ['forkUrl', FORK],
  ['forkBlockNumber', FORK],
  ['blockTime', BLOCK_TIME],
  ['interval', BLOCK_TIME],
  ['automine', PRODUCTION],
  ['autoMine', PRODUCTION],
  ['noMining', PRODUCTION],
  ['mining', PRODUCTION],
  ['miner', 'coinbase, or production'],
  ['mnemonic', 'accounts.mnemonic'],
  ['wallet', 'accounts'],
  ['privateKeys', 'accounts.privateKeys'],
  ['balance', 'accounts.balance'],
  ['timestamp', 'genesis.timestamp'],
  ['time', 'genesis.timestamp'],
  ['initialDate', 'genesis.timestamp'],
  ['alloc', 'genesis.alloc'],
  ['gasLimit', 'genesis.gasLimit'],
  ['blockGasLimit', 'genesis.gasLimit'],
  ['baseFee', 'genesis.baseFeePerGas'],
  ['baseFeePerGas', 'genesis.baseFeePerGas'],
  ['initialBaseFeePerGas', 'genesis.baseFeePerGas'],
  ['codeSizeLimit', 'allowUnlimitedContractSize'],
  ['disableCodeSizeLimit', 'allowUnlimitedContractSize'],
  ['order', 'ordering'],
  ['loadState', 'state'],
  ['genesisState', 'genesis.alloc'],
])

/** The same for the option `fork`. */
export const FOREIGN_FORK_NAMES: ReadonlyMap<string, string> = new Map([
  ['url', 'upstream: httpUpstream(url), of tickchain/upstream'],
  ['jsonRpcUrl', 'upstream: httpUpstream(url), of tickchain/upstream'],
  ['blockNumber', 'block'],
])
