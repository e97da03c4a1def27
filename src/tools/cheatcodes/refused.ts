// Cheatcodes of forge that are refused, each with its reason.

import type { Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'

const [FFI, PROMPT, RPC, RECEIPTS, TEMPO] = [
  'no other programs are run: what they give would not be the same everywhere',
  'IO error: not a terminal',
  'there is no node to ask: use a fork of a recording',
  'there are no receipts of broadcasts, which are noted and not sent',
  'there are no precompiles of Tempo',
]

const LOG = '(address,bytes32[],bytes,bytes32,uint64,bytes32,uint64,uint256,bool)'
const SUMMARY = '(bytes32,uint8,address,uint64,bool)'

/** By reason, signatures with what they return. */
const REFUSED: readonly (readonly [reason: string, signatures: string])[] = [
  [FFI, 'ffi(string[]) returns (bytes)|tryFfi(string[]) returns ((int32,bytes,bytes))'],
  [PROMPT, 'prompt(string) returns (string)|promptSecret(string) returns (string)'],
  [PROMPT, 'promptUint(string) returns (uint256)|promptSecretUint(string) returns (uint256)'],
  [PROMPT, 'promptAddress(string) returns (address)'],
  [RPC, 'rpc(string,string) returns (bytes)|rpc(string,string,string) returns (bytes)'],
  [RPC, 'rpcJson(string,string) returns (string)|rpcJson(string,string,string) returns (string)'],
  [RPC, `eth_getLogs(uint256,uint256,address,bytes32[]) returns (${LOG}[])`],
  [RPC, 'getRawBlockHeader(uint256) returns (bytes)|transact(bytes32)|transact(uint256,bytes32)'],
  [RECEIPTS, `getBroadcast(string,uint64,uint8) returns (${SUMMARY})`],
  [RECEIPTS, `getBroadcasts(string,uint64,uint8) returns (${SUMMARY}[])`],
  [RECEIPTS, `getBroadcasts(string,uint64) returns (${SUMMARY}[])`],
  [RECEIPTS, 'getDeployment(string) returns (address)|getDeployment(string,uint64) returns (address)'],
  [RECEIPTS, 'getDeployments(string,uint64) returns (address[])'],
  [TEMPO, 'setLogoURI(address,string)|setTip20LogoURI(address,string)'],
  [TEMPO, 'expectLogoURIUpdated(address,address,string)|expectTip20LogoURIUpdated(address,address,string)'],
  [TEMPO, 'assumeImplicitApproval(address)|isImplicitlyApproved(address) returns (bool)'],
]

const ROWS = REFUSED.flatMap(([reason, signatures]) =>
  signatures.split('|').map((each) => [each, reason] as const),
)

/** The reasons for which cheatcodes are refused, by their signatures. */
export const REFUSALS: ReadonlyMap<string, string> = new Map(
  ROWS.map(([signature, reason]) => [signature.split(' ')[0] as string, reason]),
)

function refusing(reason: string): never {
  throw new CheatcodeRefusal(reason)
}

export const REFUSED_CHEATCODES: Cheatcodes = Object.fromEntries(
  ROWS.map(([signature, reason]) => [signature, () => refusing(reason)]),
)
