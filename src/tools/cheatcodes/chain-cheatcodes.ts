// Cheatcodes of blocks, warm accounts, and whole accounts.

import { CHEATCODES, CONSOLE_ADDRESS, environmentWith } from '../../core/execution/evm/pooled-evm.ts'
import * as hex from '../../core/primitives/hex.ts'
import { blobBaseFee, mostExcessBlobGas } from '../../core/rollup/blobs.ts'
import type { Hardfork } from '../../core/rollup/hardforks.ts'
import * as world from '../../core/state/world-state.ts'
import { ACCESSOR } from './addresses.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { look, readFile, writeFile } from './file-cheatcodes.ts'
import { isJsonMap, type Json, parseJson, writeJson } from './json.ts'
import { parseValue } from './values.ts'
import { EVM_VERSIONS } from './versions.ts'

/** The names that forge tells of versions that have another one. */
const TOLD_VERSIONS: Readonly<Record<string, string>> = {
  tangerineWhistle: 'tangerine',
  spuriousDragon: 'spurious',
  paris: 'merge',
}

const BLOCKS: Cheatcodes = {
  'difficulty(uint256)': (run, difficulty: bigint) => {
    if (run.evm.common.isActivatedEIP(4399))
      refuseWith(
        '`difficulty` is not supported after the Paris hard fork, use `prevrandao` instead; see EIP-4399: https://eips.ethereum.org/EIPS/eip-4399',
      )
    run.moveTo(environmentWith(run.environment, { difficulty }))
  },
  'blobBaseFee(uint256)': (run, blobExcess: bigint) => {
    const { blobs } = run.covered.instance.rules
    const most = mostExcessBlobGas(blobs)
    run.change({ blobExcess })
    const fee = blobBaseFee(blobs, blobExcess < most ? blobExcess : most)
    run.moveTo(environmentWith(run.environment, { blobBaseFee: fee }))
  },
  'getBlobBaseFee() returns (uint256)': ({ cheats }) => cheats.blobExcess,
  'blobhashes(bytes32[])': (run, hashes: readonly hex.Hash[]) => {
    run.change({ blobHashes: hashes })
    for (const message of run.open) message.blobVersionedHashes = hashes
  },
  'getBlobhashes() returns (bytes32[])': ({ cheats }) => cheats.blobHashes ?? [],
  'setBlockhash(uint256,bytes32)': (run, number: bigint, hash: hex.Hash) => {
    if (number >> 64n > 0n) refuseWith('blockNumber must be less than 2^64')
    if (number > BigInt(run.environment.number))
      refuseWith('block number must be less than or equal to the current block number')
    run.change({ blockHashes: new Map(run.cheats.blockHashes).set(Number(number), hash) })
    run.setBlockHashes()
  },
  'getEvmVersion() returns (string)': ({ cheats }) => {
    const version = cheats.evmVersion ?? cheats.setting.evmVersion
    return TOLD_VERSIONS[version] ?? version
  },
  'setEvmVersion(string)': (run, evmVersion: string) => {
    if (!EVM_VERSIONS.has(evmVersion)) refuseWith(`invalid evm version ${evmVersion}`)
    run.change({ evmVersion: evmVersion as Hardfork })
  },
}

type AccessList = readonly (readonly [hex.Address, readonly hex.Hash[]])[]

function coolDown(run: CheatExecution, address: hex.Address, slot?: hex.Hash): void {
  run.watching.need('accesses')
  for (const each of run.evm.access.coolDown(address, slot)) {
    run.cooled.set(address + each, run.writer.originalStorageOf(address).get(each) ?? hex.EMPTY_BYTES)
    // As in forge, a cold slot has its present value as the original one.
    setOriginal(run, address, each, world.readStorage(run.writer.current, address, each))
  }
}

function setOriginal({ writer }: CheatExecution, address: hex.Address, slot: hex.Hash, value: Uint8Array) {
  const storage = world.setSlot(writer.originalStorageOf(address), slot, value)
  writer.transactionStart = world.updateAccount(writer.transactionStart, address, { storage })
}

const ACCESSES: Cheatcodes = {
  'cool(address)': coolDown,
  'coolSlot(address,bytes32)': coolDown,
  'warmSlot(address,bytes32)': (run, address: hex.Address, slot: hex.Hash) => {
    run.watching.need('accesses')
    // As in forge, a slot that is loaded later is cold.
    const original = run.cooled.get(address + slot)
    if (original === undefined) return
    run.evm.access.warmUpSlot(address, slot)
    setOriginal(run, address, slot, original)
  },
  'accessList((address,bytes32[])[])': (run, accessList: AccessList) => run.change({ accessList }),
  'noAccessList()': (run) => run.change({ accessList: [] }),
}

function makeUp(run: CheatExecution, address: hex.Address, isAll = false, from?: hex.Address): void {
  run.watching.need('accesses')
  const known = new Set<hex.Hash>()
  if (!isAll)
    for (const slot of world.readAccount(run.writer.current, address).storage.entries()) known.add(slot[0])
  run.change({ arbitrary: new Map(run.cheats.arbitrary).set(address, { isAll, from, known }) })
}

/** As in forge, the slots that were used are copied, and warm; the others are those of a storage. */
function copyWarm(
  run: CheatExecution,
  from: hex.Address,
  to: hex.Address,
  others: world.Storage,
): world.Storage {
  const { access } = run.evm
  const { storage } = world.readAccount(run.writer.current, from)
  let copy = others
  for (const [slot] of [...storage.entries(), ...others.entries()]) {
    if (!access.isWarmSlot(from, slot) && run.isolation.cooled.get(from)?.has(slot) !== true) continue
    access.warmUpSlot(to, slot)
    copy = world.setSlot(copy, slot, storage.get(slot) ?? hex.EMPTY_BYTES)
  }
  return copy
}

function copyStorage(run: CheatExecution, from: hex.Address, to: hex.Address): void {
  run.watching.need('accesses')
  const { arbitrary } = run.cheats
  if (arbitrary.has(to)) refuseWith('target address cannot have arbitrary storage')
  if (from === to) return
  run.evm.access.coolDown(to)
  const storage = copyWarm(run, from, to, run.writer.originalStorageOf(to))
  run.writer.current = world.updateAccount(run.writer.current, to, { storage })
  if (arbitrary.has(from)) makeUp(run, to, false, from)
}

function allocate(run: CheatExecution, allocations: Json): void {
  const accounts = isJsonMap(allocations) ? [...allocations] : []
  for (const [address, fields] of accounts) {
    if (!isJsonMap(fields)) refuseWith(`failed to parse allocs: ${address} is no account`)
    const read = (name: string, type: string) => {
      const value = fields.get(name)
      if (value === undefined || value === null) return undefined
      return parseValue(typeof value === 'string' ? value : writeJson(value), type)
    }
    const at = parseValue(address, 'address') as hex.Address
    const [balance, nonce] = [read('balance', 'uint256'), read('nonce', 'uint256')]
    const code = read('code', 'bytes')
    run.writer.current = world.updateAccount(run.writer.current, at, {
      ...(balance !== undefined && { balance: balance as bigint }),
      ...(nonce !== undefined && { nonce: nonce as bigint }),
      ...(code !== undefined && { code: world.makeCode(hex.hexToBytes(code as hex.Hex)) }),
    })
    const storage = fields.get('storage')
    for (const [slot, value] of storage !== undefined && isJsonMap(storage) ? storage : []) {
      const [name, word] = [slot, `${value}`].map((text) => hex.toWord(parseValue(text, 'uint256') as bigint))
      const bytes = hex.stripLeadingZeros(hex.hexToBytes(word as hex.Hex))
      run.writer.current = world.writeStorage(run.writer.current, at, name as hex.Hash, bytes)
    }
  }
  run.covering.callees.forgetChecks()
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
}

/** The accounts and slots that a transaction has used, as an allocation of a genesis. */
function allocations({ writer, open, message, evm: { access } }: CheatExecution): Json {
  const parties = [open[0]?.to, open[0]?.caller, message.caller].map(
    (party) => party && hex.bytesToHex(party.bytes),
  )
  const hidden: readonly unknown[] = [...parties, CHEATCODES, ACCESSOR, CONSOLE_ADDRESS]
  const own = [...writer.current.entries()].filter(
    ([address, account]) => access.isWarm(address) && !hidden.includes(address) && !world.isDead(account),
  )
  return new Map(
    own.sort(byKey).map(([address, { nonce, balance, code, storage }]): [string, Json] => {
      const slots = [...storage.entries()].filter(([slot]) => access.isWarmSlot(address, slot)).sort(byKey)
      return [
        address,
        new Map<string, Json>([
          ['nonce', hex.toQuantity(nonce)],
          ['balance', hex.toQuantity(balance)],
          ['code', hex.bytesToHex(code.bytes)],
          [
            'storage',
            new Map(slots.map(([slot, value]) => [slot, hex.toWord(BigInt(hex.bytesToHex(value)))])),
          ],
        ]),
      ]
    }),
  )
}

const WHOLE_ACCOUNTS: Cheatcodes = {
  'setArbitraryStorage(address,bool?)': makeUp,
  'copyStorage(address,address)': copyStorage,
  'cloneAccount(address,address)': (run, from: hex.Address, to: hex.Address) => {
    run.watching.need('accesses')
    const { balance, code, nonce } = world.readAccount(run.writer.current, from)
    const storage = copyWarm(run, from, to, world.readAccount(run.writer.current, to).storage)
    run.writer.current = world.updateAccount(run.writer.current, to, { balance, code, nonce, storage })
    run.covering.callees.forgetChecks()
  },
  'loadAllocs(string)': (run, text: string) => {
    run.watching.need('accesses')
    const isPath = !text.trimStart().startsWith('{')
    if (isPath && look(run, text) === undefined) refuseWith(`allocs file does not exist: ${text}`)
    allocate(run, parseJson(isPath ? hex.bytesToText(readFile(run, text)) : text))
  },
  'dumpState(string)': (run, path: string) => {
    run.watching.need('accesses')
    writeFile(run, path, hex.utf8ToBytes(writeJson(allocations(run))))
  },
}

export const CHAIN_CHEATCODES: Cheatcodes = { ...BLOCKS, ...ACCESSES, ...WHOLE_ACCOUNTS }
