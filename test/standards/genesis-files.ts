// geth's genesis files under one fork from the start, as both this library and @ethereumjs read them.

import type { GethGenesis } from '@ethereumjs/common'
import { type Hex, numberToHex } from 'viem'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import { ALL_FORKS } from './reference-parameters.ts'

export const DEPOSIT_CONTRACT: Hex = '0x00000000219ab540356cbb839cbe05303d7705fa'

/** The keys in geth's configuration that activate each fork. */
const KEYS: Readonly<Record<Hardfork, Readonly<Record<string, number | boolean>>>> = {
  chainstart: {},
  homestead: { homesteadBlock: 0 },
  tangerineWhistle: { eip150Block: 0 },
  spuriousDragon: { eip155Block: 0, eip158Block: 0 },
  byzantium: { byzantiumBlock: 0 },
  // Without a block of its own, petersburg comes at the same one (geth).
  constantinople: { constantinopleBlock: 0, petersburgBlock: 1_000_000 },
  petersburg: { petersburgBlock: 0 },
  istanbul: { istanbulBlock: 0 },
  berlin: { berlinBlock: 0 },
  london: { londonBlock: 0 },
  paris: { terminalTotalDifficulty: 0, mergeNetsplitBlock: 0, terminalTotalDifficultyPassed: true },
  shanghai: { shanghaiTime: 0 },
  cancun: { cancunTime: 0 },
  prague: { pragueTime: 0 },
  osaka: { osakaTime: 0 },
}

export function isSince(hardfork: Hardfork, since: Hardfork): boolean {
  return ALL_FORKS.indexOf(hardfork) >= ALL_FORKS.indexOf(since)
}

export interface GenesisAccount {
  readonly balance: Hex
  readonly nonce?: Hex
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hex, Hex>>
}

export function genesisUnder(
  hardfork: Hardfork,
  chainId: number,
  alloc: Readonly<Record<Hex, GenesisAccount>>,
  gasLimit: bigint,
): GethGenesis {
  const keys = ALL_FORKS.filter((fork) => isSince(hardfork, fork)).map((fork) => KEYS[fork])
  const blobs = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }
  const more = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }
  const config = { chainId, depositContractAddress: DEPOSIT_CONTRACT, ...Object.assign({}, ...keys) }
  return {
    config: { ...config, blobSchedule: { cancun: blobs, prague: more, osaka: more } },
    nonce: '0x0',
    timestamp: '0x0',
    extraData: '0x',
    gasLimit: numberToHex(gasLimit),
    difficulty: isSince(hardfork, 'paris') ? '0x0' : '0x20000',
    mixHash: `0x${'00'.repeat(32)}`,
    coinbase: `0x${'00'.repeat(20)}`,
    ...(isSince(hardfork, 'london') ? { baseFeePerGas: '0x7' } : {}),
    ...(isSince(hardfork, 'cancun') ? { excessBlobGas: '0x0', blobGasUsed: '0x0' } : {}),
    alloc,
  } as unknown as GethGenesis
}
