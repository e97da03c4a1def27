// Transactions that a fork of the OP stack brings into its first block, in their order (specification, network upgrade
// transactions). Those of ecotone and fjord are the protocol's to the byte. Of later forks, the deployed code of L1Block,
// GasPriceOracle and OperatorFeeVault is ours.

import { createAddress, keccak256 } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import { type Deposit, upgradeSourceHash } from '../deposit.ts'
import { BEACON_ROOTS_CODE, HISTORY_STORAGE_CODE } from '../system-contracts.ts'
import { type L2Contract, l2Contract } from './l2-contracts.ts'
import { DEPOSITOR, OP_PREDEPLOYS } from './predeploys.ts'

/** Each deploys one contract: its first. */
function deployer(index: number): hex.Address {
  return `0x4210${index.toString(16).padStart(36, '0')}`
}

interface Call {
  readonly intent: string
  readonly from: hex.Address
  readonly to?: hex.Address
  readonly gasLimit: bigint
  readonly data: Uint8Array
}

function upgrade({ intent, from, to, gasLimit, data }: Call): Deposit {
  const sourceHash = upgradeSourceHash(intent)
  return { sourceHash, from, to, mint: 0n, value: 0n, gasLimit, isSystem: false, data }
}

function selector(signature: string): Uint8Array {
  return keccak256(hex.utf8ToBytes(signature)).subarray(0, 4)
}

function deploy(intent: string, index: number, gasLimit: bigint, creation: L2Contract): Deposit {
  return upgrade({ intent, from: deployer(index), gasLimit, data: l2Contract(creation).bytes })
}

/** Points a proxy to what a deployer has deployed. Calls from the zero address pass for the admin's (Proxy). */
function pointProxy(intent: string, proxy: hex.Address, index: number): Deposit {
  const implementation = hex.bytesToHex(createAddress(hex.hexToBytes(deployer(index)), 0n))
  const data = hex.concatBytes(
    selector('upgradeTo(address)'),
    hex.hexToBytes(hex.toWord(BigInt(implementation))),
  )
  return upgrade({ intent, from: hex.ZERO_ADDRESS, to: proxy, gasLimit: 50_000n, data })
}

function setFlag(intent: string, signature: string, gasLimit: bigint): Deposit {
  const data = selector(signature)
  return upgrade({ intent, from: DEPOSITOR, to: OP_PREDEPLOYS.GasPriceOracle, gasLimit, data })
}

/** Deploys a system contract of Ethereum, with the account and the code that its EIP names. */
function deploySystem(intent: string, from: hex.Address, code: string): Deposit {
  const bytes = hex.hexToBytes(code)
  // Returns the code, which follows: PUSH1 length DUP1 PUSH1 9 PUSH0 CODECOPY PUSH0 RETURN.
  const prefix = Uint8Array.of(0x60, bytes.length, 0x80, 0x60, 0x09, 0x5f, 0x39, 0x5f, 0xf3)
  return upgrade({ intent, from, gasLimit: 250_000n, data: hex.concatBytes(prefix, bytes) })
}

const { L1Block, GasPriceOracle, OperatorFeeVault } = OP_PREDEPLOYS

export function ecotone(): Deposit[] {
  return [
    deploy('Ecotone: L1 Block Deployment', 0, 375_000n, 'L1BlockCreation'),
    deploy('Ecotone: Gas Price Oracle Deployment', 1, 1_000_000n, 'GasPriceOracleCreation'),
    pointProxy('Ecotone: L1 Block Proxy Update', L1Block, 0),
    pointProxy('Ecotone: Gas Price Oracle Proxy Update', GasPriceOracle, 1),
    setFlag('Ecotone: Gas Price Oracle Set Ecotone', 'setEcotone()', 80_000n),
    deploySystem(
      'Ecotone: beacon block roots contract deployment',
      '0x0b799c86a49deeb90402691f1041aa3af2d3c875',
      BEACON_ROOTS_CODE,
    ),
  ]
}

export function fjord(): Deposit[] {
  return [
    deploy('Fjord: Gas Price Oracle Deployment', 2, 1_450_000n, 'GasPriceOracleFjordCreation'),
    pointProxy('Fjord: Gas Price Oracle Proxy Update', GasPriceOracle, 2),
    setFlag('Fjord: Gas Price Oracle Set Fjord', 'setFjord()', 90_000n),
  ]
}

export function isthmus(): Deposit[] {
  return [
    deploy('Isthmus: L1 Block Deployment', 3, 425_000n, 'L1BlockIsthmusCreation'),
    deploy('Isthmus: Gas Price Oracle Deployment', 4, 1_625_000n, 'GasPriceOracleIsthmusCreation'),
    deploy('Isthmus: Operator Fee Vault Deployment', 5, 500_000n, 'OperatorFeeVaultCreation'),
    pointProxy('Isthmus: L1 Block Proxy Update', L1Block, 3),
    pointProxy('Isthmus: Gas Price Oracle Proxy Update', GasPriceOracle, 4),
    pointProxy('Isthmus: Operator Fee Vault Proxy Update', OperatorFeeVault, 5),
    setFlag('Isthmus: Gas Price Oracle Set Isthmus', 'setIsthmus()', 90_000n),
    deploySystem(
      'Isthmus: EIP-2935 Contract Deployment',
      '0x3462413af4609098e1e27a490f554f260213d685',
      HISTORY_STORAGE_CODE,
    ),
  ]
}

export function jovian(): Deposit[] {
  return [
    deploy('Jovian: L1Block Deployment', 6, 447_315n, 'L1BlockJovianCreation'),
    pointProxy('Jovian: L1Block Proxy Update', L1Block, 6),
    deploy('Jovian: GasPriceOracle Deployment', 7, 1_756_783n, 'GasPriceOracleJovianCreation'),
    pointProxy('Jovian: GasPriceOracle Proxy Update', GasPriceOracle, 7),
    setFlag('Jovian: Gas Price Oracle Set Jovian', 'setJovian()', 90_000n),
  ]
}
