// @ts-check
// Options of tickchain as Hardhat's configuration of a network, for recorded scenarios.

/** Hardhat's configuration of a network. @param {any} options of tickchain, as the recording is read into */
export function hardhatNetwork(options) {
  const { accounts, genesis } = options
  return {
    hardfork: options.hardfork,
    chainId: options.chainId,
    coinbase: options.coinbase,
    accounts: accounts.privateKeys.map((/** @type {string} */ privateKey) => ({
      privateKey,
      balance: `${10n ** 22n}`,
    })),
    blockGasLimit: genesis.gasLimit,
    gas: options.defaultTransactionGasLimit,
    initialDate: new Date(genesis.timestamp * 1000).toISOString(),
    allowUnlimitedContractSize: options.allowUnlimitedContractSize,
    throwOnTransactionFailures: options.throwOnTransactionFailures,
    throwOnCallFailures: options.throwOnCallFailures,
    mining: { auto: true, mempool: { order: options.ordering === 'fifo' ? 'fifo' : 'priority' } },
  }
}
