// A simulated network without settings but its accounts, as Hardhat 3.18 resolves it.

import type { EdrNetworkConfig } from 'hardhat/types/config'

export const SIMULATED_NETWORK: Omit<EdrNetworkConfig, 'accounts'> = {
  type: 'edr-simulated',
  chainId: 31_337,
  gas: 'auto',
  gasMultiplier: 1,
  gasPrice: 'auto',
  allowBlocksWithSameTimestamp: false,
  coinbase: new Uint8Array(20).fill(0xc0),
  gasEstimationMode: 'noInternalOutOfGas',
  hardfork: 'osaka',
  initialDate: '2024-01-01T00:00:00Z',
  loggingEnabled: false,
  minGasPrice: 0n,
  mining: { auto: true, interval: 0, mempool: { order: 'priority' } },
  networkId: 31_337,
  throwOnCallFailures: true,
  throwOnTransactionFailures: true,
}
