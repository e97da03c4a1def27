// Cheatcodes that read what `forge script --broadcast` has written: the transactions of a script, with their receipts.

import { type Address, bytesToText, type Hash, ZERO_ADDRESS } from '../../core/primitives/hex.ts'
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseObject,
  textIn,
} from '../solidity/artifacts/json.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { entriesIn, resolvePath } from './file-cheatcodes.ts'

/** In the order of `BroadcastTxType`. */
const KINDS = ['CALL', 'CREATE', 'CREATE2']
const DEPLOYMENTS = [1n, 2n]

/** `BroadcastTxSummary` of forge-std. */
type Summary = readonly [hash: Hash, kind: bigint, contract: Address, block: bigint, isSuccess: boolean]

interface Wanted {
  readonly contract: string
  readonly chain: bigint
  /** All of them, if empty. */
  readonly kinds: readonly bigint[]
}

/** The runs of scripts that were broadcast; a script for several chains has one for each. */
function sequencesIn({ cheats }: CheatExecution): readonly JsonObject[] {
  const { root, files, broadcast } = cheats.setting
  const folder = resolvePath(root, broadcast)
  if (files?.look(folder, true)?.isDirectory !== true)
    refuseWith('broadcast dir does not exist or is not a directory')
  // The latest run is there twice, the second time as `run-latest.json`, or in a folder `…-latest`.
  const paths = entriesIn(files, folder, 100n, false).flatMap(([, path, , isDirectory]) =>
    isDirectory || path.includes('-latest', folder.length) || !path.endsWith('.json') ? [] : [path],
  )
  return paths.flatMap((path) => {
    const run = parseObject(bytesToText(files.read(path)))
    const { deployments, transactions } = run ?? {}
    if (Array.isArray(deployments)) return deployments.filter(isObject)
    if (run !== undefined && Array.isArray(transactions)) return [run]
    return refuseWith(`failed to parse json file: "${path}": missing field \`transactions\``)
  })
}

function kindOf(transaction: JsonObject): bigint {
  return BigInt(KINDS.indexOf(textIn(transaction, 'transactionType') ?? ''))
}

/** The transactions that are wanted of a run. */
function wantedIn({ transactions, chain }: JsonObject, wanted: Wanted): readonly JsonObject[] {
  if (`${chain}` !== `${wanted.chain}`) return []
  return listOf(transactions)
    .map(objectOf)
    .filter(({ contractName }) => contractName === wanted.contract)
    .filter((each) => wanted.kinds.length === 0 || wanted.kinds.includes(kindOf(each)))
}

/** The runs that have such transactions, newest first. */
function runsWith(run: CheatExecution, wanted: Wanted): readonly JsonObject[] {
  return sequencesIn(run)
    .filter((sequence) => wantedIn(sequence, wanted).length > 0)
    .sort((left, right) => Number(right['timestamp']) - Number(left['timestamp']))
}

/** The transactions that have receipts, those of the newest block first. */
function summariesOf(sequence: JsonObject, wanted: Wanted): readonly Summary[] {
  const receipts = new Map(
    listOf(sequence['receipts']).map((each) => [textIn(objectOf(each), 'transactionHash'), objectOf(each)]),
  )
  return wantedIn(sequence, wanted)
    .flatMap((transaction): readonly Summary[] => {
      const hash = textIn(transaction, 'hash') as Hash
      const receipt = receipts.get(hash)
      if (receipt === undefined) return []
      const contract = (textIn(transaction, 'contractAddress') ?? ZERO_ADDRESS) as Address
      const block = BigInt(textIn(receipt, 'blockNumber') ?? 0)
      return [[hash, kindOf(transaction), contract, block, receipt['status'] === '0x1']]
    })
    .sort((left, right) => Number(right[3] - left[3]))
}

function all(run: CheatExecution, contract: string, chain: bigint, kinds: readonly bigint[]) {
  const wanted = { contract, chain, kinds }
  return runsWith(run, wanted).flatMap((sequence) => summariesOf(sequence, wanted))
}

function latest(run: CheatExecution, contract: string, chain: bigint, kinds: readonly bigint[]): Summary {
  const wanted = { contract, chain, kinds }
  const sequence = runsWith(run, wanted)[0] ?? refuseWith('No broadcasts found')
  const none = `no deployment found for ${contract} on chain ${chain}`
  return summariesOf(sequence, wanted)[0] ?? refuseWith(none)
}

const SUMMARY = '(bytes32,uint8,address,uint64,bool)'

export const BROADCAST_CHEATCODES: Cheatcodes = {
  [`getBroadcast(string,uint64,uint8) returns (${SUMMARY})`]: (
    run,
    name: string,
    chain: bigint,
    kind: bigint,
  ) => latest(run, name, chain, [kind]),
  [`getBroadcasts(string,uint64,uint8?) returns (${SUMMARY}[])`]: (
    run,
    name: string,
    chain: bigint,
    kind?: bigint,
  ) => all(run, name, chain, kind === undefined ? [] : [kind]),
  'getDeployment(string,uint64?) returns (address)': (run, name: string, chain = run.chainId) =>
    latest(run, name, chain, DEPLOYMENTS)[2],
  'getDeployments(string,uint64) returns (address[])': (run, name: string, chain: bigint) =>
    all(run, name, chain, DEPLOYMENTS).map(([, , contract]) => contract),
}
