// Cheatcodes of forge that are refused, each with its reason.

import type { Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'

const [FFI, PROMPT, RPC, RECEIPTS, TEMPO, LAYOUT] = [
  'no other programs are run: what they give would not be the same everywhere',
  'IO error: not a terminal',
  'there is no node to ask: use a fork of a recording',
  'there are no receipts of broadcasts, which are noted and not sent',
  'there are no precompiles of Tempo',
  'the layout of storage is not among the artifacts',
]

const SUMMARY = '(bytes32,uint8,address,uint64,bool)'

/** By reason, signatures with what they return. */
const REFUSED: readonly (readonly [reason: string, signatures: readonly string[]])[] = [
  [FFI, ['ffi(string[]) returns (bytes)', 'tryFfi(string[]) returns ((int32,bytes,bytes))']],
  [
    PROMPT,
    [
      ...['prompt(string) returns (string)', 'promptSecret(string) returns (string)'],
      ...['promptUint(string) returns (uint256)', 'promptSecretUint(string) returns (uint256)'],
      'promptAddress(string) returns (address)',
    ],
  ],
  [
    RPC,
    [
      ...['rpc(string,string) returns (bytes)', 'rpc(string,string,string) returns (bytes)'],
      ...['rpcJson(string,string) returns (string)', 'rpcJson(string,string,string) returns (string)'],
      'eth_getLogs(uint256,uint256,address,bytes32[]) returns ((address,bytes32[],bytes,bytes32,uint64,bytes32,uint64,uint256,bool)[])',
      ...['getRawBlockHeader(uint256) returns (bytes)', 'transact(bytes32)', 'transact(uint256,bytes32)'],
    ],
  ],
  [
    RECEIPTS,
    [
      `getBroadcast(string,uint64,uint8) returns (${SUMMARY})`,
      `getBroadcasts(string,uint64,uint8) returns (${SUMMARY}[])`,
      `getBroadcasts(string,uint64) returns (${SUMMARY}[])`,
      ...['getDeployment(string) returns (address)', 'getDeployment(string,uint64) returns (address)'],
      'getDeployments(string,uint64) returns (address[])',
    ],
  ],
  [
    TEMPO,
    [
      ...['setLogoURI(address,string)', 'setTip20LogoURI(address,string)'],
      ...[
        'expectLogoURIUpdated(address,address,string)',
        'expectTip20LogoURIUpdated(address,address,string)',
      ],
      ...['assumeImplicitApproval(address)', 'isImplicitlyApproved(address) returns (bool)'],
    ],
  ],
  [LAYOUT, ['getStorageSlots(address,string) returns (uint256[])']],
]

/** The reasons for which cheatcodes are refused, by their signatures. */
export const REFUSALS: ReadonlyMap<string, string> = new Map(
  REFUSED.flatMap(([reason, signatures]) => signatures.map((each) => [each.split(' ')[0] as string, reason])),
)

export const REFUSED_CHEATCODES: Cheatcodes = Object.fromEntries(
  REFUSED.flatMap(([reason, signatures]) =>
    signatures.map((signature) => [
      signature,
      () => {
        throw new CheatcodeRefusal(reason)
      },
    ]),
  ),
)
