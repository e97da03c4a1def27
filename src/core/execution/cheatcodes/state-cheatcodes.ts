// Cheatcodes of the state: accounts, the block, what was recorded of calls, and names.

import type { AbiValue } from '../../primitives/abi.ts'
import { toChecksumAddress } from '../../primitives/address.ts'
import { type Address, bytesToHex, type Hex, toWord } from '../../primitives/hex.ts'
import { andThen } from '../../primitives/later.ts'
import {
  bytesOf,
  type Cheatcode,
  type Cheatcodes,
  type Returned,
  requireUint64,
  WALLET,
} from './cheatcode.ts'
import { keyOfName, walletOf } from './keys.ts'
import { Refusal } from './refusal.ts'
import type { CheatSite } from './site.ts'

const MOST_TIME = BigInt(Number.MAX_SAFE_INTEGER)

function numberOf(value: AbiValue | undefined): number {
  if (typeof value !== 'bigint' || value > MOST_TIME) throw new Refusal('the number is too large')
  return Number(value)
}

const ACCOUNTS: Cheatcodes = {
  'deal(address,uint256)': ({ update }, [address, balance]) =>
    update(address as Address, { balance: balance as bigint }),
  'etch(address,bytes)': ({ etch }, [address, code]) => etch(address as Address, bytesOf(code)),
  'getNonce(address)': ({ account }, [address]) => ['(uint64)', account(address as Address).nonce],
  [`getNonce(${WALLET})`]: ({ account }, [wallet]) => [
    '(uint64)',
    account((wallet as readonly AbiValue[])[0] as Address).nonce,
  ],
  'setNonce(address,uint64)': ({ account, update }, [address, nonce]) => {
    const before = account(address as Address).nonce
    if ((nonce as bigint) < before) {
      const limit = `strictly equal to or higher than the account's current nonce (${before})`
      throw new Refusal(`new nonce (${nonce}) must be ${limit}`)
    }
    update(address as Address, { nonce: nonce as bigint })
  },
  'setNonceUnsafe(address,uint64)': ({ update }, [address, nonce]) =>
    update(address as Address, { nonce: nonce as bigint }),
  'resetNonce(address)': ({ account, update }, [address]) => {
    const isContract = account(address as Address).code.bytes.length > 0
    update(address as Address, { nonce: isContract ? 1n : 0n })
  },
  'load(address,bytes32)': ({ load }, [address, slot]) =>
    andThen(load(address as Address, slot as Hex), (value): Returned => ['(bytes32)', value]),
  'store(address,bytes32,bytes32)': ({ store }, [address, slot, value]) =>
    store(address as Address, slot as Hex, value as Hex),
}

const BLOCK: Cheatcodes = {
  'warp(uint256)': ({ moveTo }, [time]) => moveTo({ timestamp: numberOf(time) }),
  'roll(uint256)': ({ moveTo }, [number]) => moveTo({ number: numberOf(number) }),
  'fee(uint256)': ({ moveTo }, [fee]) => moveTo({ baseFeePerGas: fee as bigint }),
  'coinbase(address)': ({ moveTo }, [coinbase]) => moveTo({ coinbase: coinbase as Address }),
  'prevrandao(bytes32)': ({ moveTo }, [value]) => moveTo({ prevRandao: value as Hex }),
  'prevrandao(uint256)': ({ moveTo }, [value]) => moveTo({ prevRandao: toWord(value as bigint) }),
  'chainId(uint256)': ({ setTransaction }, [id]) =>
    setTransaction({ chainId: requireUint64(id, 'chain ID') }),
  'txGasPrice(uint256)': ({ setTransaction }, [price]) => setTransaction({ gasPrice: price as bigint }),
  'getBlockTimestamp()': ({ environment }) => ['(uint256)', BigInt(environment().timestamp)],
  'getBlockNumber()': ({ environment }) => ['(uint256)', BigInt(environment().number)],
  'getChainId()': ({ chainId }) => ['(uint256)', chainId()],
}

const RECORDS: Cheatcodes = {
  'record()': ({ recordAccesses }) => recordAccesses(true),
  'stopRecord()': ({ recordAccesses }) => recordAccesses(false),
  'accesses(address)': ({ accesses }, [address]) => {
    const own = accesses().filter((each) => each.address === address)
    // A write reads as well.
    const [reads, writes] = [own, own.filter(({ isWrite }) => isWrite)]
    return ['(bytes32[],bytes32[])', reads.map(({ slot }) => slot), writes.map(({ slot }) => slot)]
  },
  'recordLogs()': ({ leave }) => leave({ logs: [] }),
  'getRecordedLogs()': ({ left, leave }) => {
    const { logs } = left()
    // Whoever asks begins to record.
    if (logs?.length !== 0) leave({ logs: [] })
    const values = (logs ?? []).map(({ topics, data, emitter }) => [
      topics.map(bytesToHex),
      bytesToHex(data),
      emitter,
    ])
    return ['((bytes32[],bytes,address)[])', values]
  },
}

function snapshots(): [string, Cheatcode][] {
  // With their names of forge-std before 1.9.6.
  const named = (names: readonly string[], cheatcode: Cheatcode): [string, Cheatcode][] =>
    names.map((name) => [name, cheatcode])
  const numbered = (names: readonly string[]) => names.map((name) => `${name}(uint256)`)
  return [
    ...named(['snapshotState()', 'snapshot()'], ({ snapshot }) => ['(uint256)', snapshot()]),
    ...named(numbered(['revertToState', 'revertTo']), ({ revertTo }, [id]) =>
      andThen(revertTo(id as bigint), (isThere): Returned => ['(bool)', isThere]),
    ),
    ...named(
      numbered(['revertToStateAndDelete', 'revertToAndDelete']),
      ({ revertTo, deleteSnapshot }, [id]) =>
        andThen(revertTo(id as bigint), (isThere): Returned => {
          deleteSnapshot(id as bigint)
          return ['(bool)', isThere]
        }),
    ),
    ...named(numbered(['deleteStateSnapshot', 'deleteSnapshot']), ({ deleteSnapshot }, [id]) => [
      '(bool)',
      deleteSnapshot(id as bigint),
    ]),
  ]
}

function label({ left, leave }: CheatSite, address: Address, text: string): void {
  const { labels } = left()
  if (labels.get(address) !== text) leave({ labels: new Map(labels).set(address, text) })
}

function wallet(site: CheatSite, key: bigint, name?: string): Returned {
  const made = walletOf(key)
  if (name !== undefined) label(site, made[0], name)
  return [`(${WALLET})`, made]
}

const NAMES: Cheatcodes = {
  'label(address,string)': (site, [address, text]) => label(site, address as Address, text as string),
  'getLabel(address)': ({ left }, [address]) => [
    '(string)',
    left().labels.get(address as Address) ?? `unlabeled:${toChecksumAddress(address as Address)}`,
  ],
  'createWallet(string)': (site, [name]) => wallet(site, keyOfName(name as string), name as string),
  'createWallet(uint256)': (site, [key]) => wallet(site, key as bigint),
  'createWallet(uint256,string)': (site, [key, name]) => wallet(site, key as bigint, name as string),
}

export const STATE_CHEATCODES: Cheatcodes = {
  ...ACCOUNTS,
  ...BLOCK,
  ...RECORDS,
  ...Object.fromEntries(snapshots()),
  ...NAMES,
}
