// The layer 1's genesis accounts against a deployment of the same contracts.

import { createEmulator, type Emulator } from 'tickchain'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { type Address, bytesToHex, type Hex, toWord } from '../../../src/core/primitives/hex.ts'
import type { Account } from '../../../src/core/state/world-state.ts'
import { l1GenesisAccounts } from '../../../src/tools/pair/genesis-l1.ts'
import { rollupAddresses, superchainAddresses } from '../../../src/tools/pair/l1-addresses.ts'
import {
  batchInboxOf,
  L1_DEFAULTS,
  type L1GenesisOptions,
  type RollupOnL1,
} from '../../../src/tools/pair/l1-genesis-options.ts'
import { deploy } from './l1-deployment.ts'

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const GUARDIAN = '0x1111111111111111111111111111111111111111'

/** Every value differs from every other and from zero, so that no slot can stand for another. */
const ROLLUP: Omit<RollupOnL1, 'addresses'> = {
  ...L1_DEFAULTS,
  chainId: 8453,
  system: {
    batcherHash: `0x${'00'.repeat(12)}${'22'.repeat(20)}`,
    overhead: 0n,
    scalar: 0n,
    baseFeeScalar: 2269,
    blobBaseFeeScalar: 1_055_762,
    gasLimit: 400_000_000n,
    eip1559: { denominator: 125, elasticity: 6 },
    operatorFeeScalar: 77,
    operatorFeeConstant: 88n,
    minBaseFee: 5_000_000n,
    daFootprintGasScalar: 312,
  },
  owner: OWNER,
  unsafeBlockSigner: '0x3333333333333333333333333333333333333333',
  batchInbox: batchInboxOf(8453),
  proposer: '0x4444444444444444444444444444444444444444',
  challenger: '0x5555555555555555555555555555555555555555',
  anchor: { outputRoot: `0x${'66'.repeat(32)}`, blockNumber: 17 },
}

interface Content {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
  readonly storage: Readonly<Record<Hex, Hex>>
}

/** An account as text that reads the same however it came about. */
function contentOf({ nonce, balance, code, storage }: Account): Content {
  const slots = [...storage.entries()].map(([slot, value]): [Hex, Hex] => [
    slot,
    toWord(BigInt(bytesToHex(value))),
  ])
  return { nonce, balance, code: bytesToHex(code.bytes), storage: sorted(slots) }
}

function sorted(slots: readonly (readonly [Hex, Hex])[]): Readonly<Record<Hex, Hex>> {
  return Object.fromEntries([...slots].sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface Dumped {
  readonly nonce: number
  readonly balance: string
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hex, Hex>>
}

/** All accounts of a chain's state, from its dump in geth's format. */
async function dumpedContents(chain: Emulator): Promise<Map<Address, Content>> {
  const { accounts } = (await chain.request({ method: 'debug_dumpBlock', params: ['latest'] } as never)) as {
    accounts: Readonly<Record<Address, Dumped>>
  }
  return new Map(
    Object.entries(accounts).map(([address, { nonce, balance, code = '0x', storage = {} }]) => [
      address.toLowerCase() as Address,
      {
        nonce: BigInt(nonce),
        balance: BigInt(balance),
        code,
        storage: sorted(
          Object.entries(storage).map(([slot, value]): [Hex, Hex] => [
            slot as Hex,
            toWord(BigInt(`0x${value}`)),
          ]),
        ),
      },
    ]),
  )
}

beforeAll(loadCrypto)

describe('the accounts', () => {
  test.each([
    ['ecotone', {}],
    ['bedrock', { overhead: 188n, scalar: 684_000n, baseFeeScalar: 0, blobBaseFeeScalar: 0 }],
  ])(
    'are those that a deployment leaves, in code and in every slot, with scalars of %s',
    { tags: 'gate' },
    async (_, scalars) => {
      const chain = await createEmulator({ production: 'manual', genesis: { gasLimit: 1_000_000_000n } })
      const system = { ...ROLLUP.system, ...scalars }
      const { superchain, rollup } = await deploy(chain, GUARDIAN, { ...ROLLUP, system })
      const block = await chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
      const options: L1GenesisOptions = {
        block: { number: Number(block?.number), timestamp: Number(block?.timestamp) },
        superchain: { addresses: superchain, owner: OWNER, guardian: GUARDIAN },
        rollups: [rollup],
      }
      const deployed = await dumpedContents(chain)
      const accounts = l1GenesisAccounts(options)
      expect(accounts.length).toBe(29)
      for (const [address, account] of accounts) {
        expect([address, contentOf(account)]).toEqual([address, deployed.get(address)])
      }
    },
  )

  test('of two rollups are apart, but for what they share', () => {
    const rollups = [10, 8453].map((chainId) => ({ ...ROLLUP, chainId, addresses: rollupAddresses(chainId) }))
    const accounts = l1GenesisAccounts({
      block: { number: 0, timestamp: 0 },
      superchain: { addresses: superchainAddresses(), owner: OWNER, guardian: GUARDIAN },
      rollups,
    })
    expect(accounts.length).toBe(5 + 2 * 24)
    expect(new Set(accounts.map(([address]) => address)).size).toBe(accounts.length)
  })
})
