// Addresses of the OP stack: the contracts that every chain has from genesis on, and the system's accounts.

import type { Address } from '../../primitives/hex.ts'

/** The sender of L1 attributes deposits, whose key nobody has. */
export const DEPOSITOR: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

/** BaseTime (denim), which is not among the predeploys that every chain has from genesis on. */
export const BASE_TIME: Address = '0x4200000000000000000000000000000000000030'

function at(suffix: string): Address {
  return `0x42${suffix.padStart(38, '0')}`
}

export const OP_PREDEPLOYS = {
  LegacyMessagePasser: at('00'),
  DeployerWhitelist: at('02'),
  WETH: at('06'),
  L2CrossDomainMessenger: at('07'),
  GasPriceOracle: at('0f'),
  L2StandardBridge: at('10'),
  SequencerFeeVault: at('11'),
  OptimismMintableERC20Factory: at('12'),
  L1BlockNumber: at('13'),
  L2ERC721Bridge: at('14'),
  L1Block: at('15'),
  L2ToL1MessagePasser: at('16'),
  OptimismMintableERC721Factory: at('17'),
  ProxyAdmin: at('18'),
  BaseFeeVault: at('19'),
  L1FeeVault: at('1a'),
  OperatorFeeVault: at('1b'),
  SchemaRegistry: at('20'),
  EAS: at('21'),
  GovernanceToken: at('42'),
} as const satisfies Record<string, Address>
