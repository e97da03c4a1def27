// Hand-made blocks for import tests: any header, transactions and uncles. The expected commitments come from the
// chain's own refusals, so tests may only rely on whether a block is accepted.
import { createEmulator, type Emulator, type EmulatorOptions, TickchainError } from 'tickchain'
import { type Hex, isHex, keccak256, numberToHex, padHex, toRlp, trim } from 'viem'
import { ALICE } from '../rpc/scene.ts'

export type Item = Hex | readonly Item[]
export type Header = readonly Hex[]

export const FIELDS = [
  'parentHash',
  'unclesHash',
  'coinbase',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const
export type Field = (typeof FIELDS)[number]

const LATER_FORKS = [
  ['homesteadBlock', 'eip150Block', 'eip155Block', 'eip158Block'],
  ['byzantiumBlock', 'constantinopleBlock', 'petersburgBlock', 'istanbulBlock'],
  ['berlinBlock'],
  ['londonBlock'],
  ['terminalTotalDifficulty', 'shanghaiTime'],
  ['cancunTime'],
  ['pragueTime'],
  ['osakaTime'],
] as const
export const ERAS = [
  'frontier',
  'spuriousDragon',
  'istanbul',
  'berlin',
  'london',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const
export type Era = (typeof ERAS)[number]

export function since(era: Era, other: Era): boolean {
  return ERAS.indexOf(era) >= ERAS.indexOf(other)
}

/** A genesis under one fork, with chain id 1337 and ten thousand ether for Alice. */
export function genesisOf(era: Era) {
  const keys = LATER_FORKS.slice(0, ERAS.indexOf(era)).flat()
  const deposits = '0x00000000219ab540356cbb839cbe05303d7705fa'
  return {
    config: { chainId: 1337, ...Object.fromEntries(keys.map((key) => [key, 0])) },
    difficulty: since(era, 'shanghai') ? '0x0' : '0x20000',
    gasLimit: 30_000_000,
    timestamp: 5,
    alloc: { [ALICE]: { balance: 10n ** 22n }, [deposits]: { balance: 0 } },
  }
}

export function startChain(era: Era, options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ ...options, genesis: genesisOf(era) })
}

export interface Forged {
  readonly transactions?: readonly Item[]
  readonly uncles?: readonly Header[]
  /** The items after the uncles; by default an empty list of withdrawals from shanghai on. */
  readonly rest?: readonly Item[]
  readonly header?: Partial<Record<Field, Hex>>
}

export const MINER: Hex = `0x${'cb'.repeat(20)}`
export const EMPTY_LIST_HASH = keccak256('0xc0')
const zero = padHex('0x', { size: 32 })

/** The RLP form of a number. */
export function integer(value: bigint | number): Hex {
  return BigInt(value) === 0n ? '0x' : trim(numberToHex(value))
}

const FIELD_COUNTS: Readonly<Record<Era, number>> = {
  frontier: 15,
  spuriousDragon: 15,
  istanbul: 15,
  berlin: 15,
  london: 16,
  shanghai: 17,
  cancun: 20,
  prague: 21,
  osaka: 21,
}

async function draft(chain: Emulator, era: Era, { uncles = [], header = {} }: Forged): Promise<Hex[]> {
  const parent = await chain.request('eth_getBlockByNumber', ['latest', false])
  const fields: Record<Field, Hex> = {
    parentHash: parent?.hash as Hex,
    unclesHash: keccak256(toRlp(uncles as Hex[][])),
    coinbase: MINER,
    stateRoot: zero,
    transactionsRoot: zero,
    receiptsRoot: zero,
    logsBloom: padHex('0x', { size: 256 }),
    difficulty: '0x',
    number: integer(Number(parent?.number) + 1),
    gasLimit: integer(BigInt(parent?.gasLimit ?? 0)),
    gasUsed: '0x',
    timestamp: integer(Number(parent?.timestamp) + 10),
    extraData: '0x',
    mixHash: zero,
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x',
    withdrawalsRoot: zero,
    blobGasUsed: '0x',
    excessBlobGas: '0x',
    parentBeaconBlockRoot: zero,
    requestsHash: zero,
    ...header,
  }
  return FIELDS.slice(0, FIELD_COUNTS[era]).map((field) => fields[field])
}

export type Outcome = { readonly rlp: Hex; readonly header: Header } | { readonly refusal: TickchainError }

const CLAIM = /^invalid block \d+: (\w+): expected (\S+), got \S+$/

/** Imports a block on the head. Corrects claims that are not in `header`, until something else is wrong. */
export async function forge(chain: Emulator, era: Era, forged: Forged = {}): Promise<Outcome> {
  const header = await draft(chain, era, forged)
  const rest = forged.rest ?? (since(era, 'shanghai') ? [[]] : [])
  for (let round = 0; round < FIELDS.length; round++) {
    const rlp = toRlp([header, forged.transactions ?? [], forged.uncles ?? [], ...rest] as Hex[])
    const refusal = await chain.importBlocks(rlp).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refusal === undefined) return { rlp, header }
    if (!(refusal instanceof TickchainError)) throw refusal
    const [, name, expected] = CLAIM.exec(refusal.message) ?? []
    const index = FIELDS.indexOf(name as Field)
    if (expected === undefined || index === -1 || forged.header?.[name as Field] !== undefined) {
      return { refusal }
    }
    header[index] = isHex(expected) ? expected : integer(BigInt(expected))
  }
  throw new Error('a block that cannot be put right')
}

/** Why a block is refused. Fails if it is accepted, or if the refusal changes the chain. */
export async function refusalOf(chain: Emulator, era: Era, forged: Forged): Promise<TickchainError> {
  const look = async (): Promise<unknown> => [
    chain.now,
    await chain.request('eth_getBlockByNumber', ['latest', true]),
    await chain.request('eth_getBlockByNumber', ['pending', true]),
  ]
  const before = await look()
  const outcome = await forge(chain, era, forged)
  if (!('refusal' in outcome)) throw new Error('the block was taken')
  const after = await look()
  if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error('the refused block left a trace')
  return outcome.refusal
}
