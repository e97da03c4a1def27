// The entry for a set-up that several test files share: run once by the runner's global set-up, loaded by each file. It
// uses `node:` modules and the environment, since the chain goes from one process to others as a file.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Emulator } from './core/emulator/api.ts'
import { readOptions, refuseCall, refuseOption } from './core/emulator/checks.ts'
import { leaveUnreported } from './core/emulator/internals.ts'
import type { EmulatorOptions } from './core/emulator/options/options.ts'
import { arrayOf, text } from './core/rpc/codecs/basic.ts'
import { or } from './core/rpc/codecs/object.ts'
import { VERSION } from './core/rpc/transaction-outcome.ts'
import { createEmulator } from './tools/solidity/create-emulator.ts'

/** Node's process, whose environment is what a runner's workers inherit. */
declare const process: { readonly pid: number; readonly env: Record<string, string | undefined> }

/** The shared chains that a global set-up of this run has prepared: their files, as JSON. */
const VARIABLE = 'TICKCHAIN_SHARED_CHAINS'

/** Where a shared chain is kept, and for how long. */
export interface SharedChainFile {
  /**
   * The path of its file, from the working directory. Two shared chains of one run need two paths. Default
   * 'node_modules/.cache/tickchain/shared-chain'.
   */
  readonly file?: string
  /**
   * Files and folders that the set-up depends on, itself included. While their contents are the same, a file of an
   * earlier run is used. Default none: each run sets up the chain anew.
   */
  readonly inputs?: readonly string[]
}

/** A shared chain, loaded. */
export interface LoadedChain<Context> {
  /** A chain of its own, as the set-up left it. */
  readonly chain: Emulator
  /** The result of the set-up. */
  readonly context: Context
}

/** A set-up that is run once for all test files. */
export interface SharedChain<Context> {
  /** The global set-up: sets up the chain and writes its file. The runner calls it. */
  (): Promise<void>
  /**
   * A new chain, as the set-up left it, and what the set-up returned.
   *
   * @throws TickchainError `invalidCall` if no global set-up of this run has been called
   */
  load(): Promise<LoadedChain<Context>>
}

interface Head {
  readonly fingerprint: string | undefined
  readonly context: unknown
}

/** The fields that mark what JSON has no text for. A field of the set-up of such a name gets one more dollar sign. */
const MARK = /^\$+(?:bigint|undefined)$/

/** The result of the set-up as JSON; refuses what would come back as something else. */
function writeContext(context: unknown, path = 'context'): unknown {
  if (typeof context === 'bigint') return { $bigint: `${context}` }
  if (context === undefined) return { $undefined: true }
  if (context === null || typeof context === 'string' || typeof context === 'boolean') return context
  if (Number.isFinite(context) && !Object.is(context, -0)) return context
  if (Array.isArray(context))
    return Array.from(context, (each, index) => writeContext(each, `${path}[${index}]`))
  const isPlain = typeof context === 'object' && Object.prototype.toString.call(context) === '[object Object]'
  const maker = isPlain ? Object.getPrototypeOf(context)?.constructor?.name : undefined
  if (isPlain && (maker === undefined || maker === 'Object')) {
    const fields = Object.entries(context as object).map(([name, value]) => {
      return [MARK.test(name) ? `$${name}` : name, writeContext(value, `${path}.${name}`)]
    })
    return Object.fromEntries(fields)
  }
  const expected = `text, numbers, bigints, booleans, arrays and plain objects, which a file can hold, in ${path}`
  return refuseCall('sharedChain', expected, context)
}

/** Reads what `writeContext` has written. */
function readContext(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written
  if (Array.isArray(written)) return written.map(readContext)
  if ('$undefined' in written) return undefined
  if ('$bigint' in written) return BigInt(written.$bigint as string)
  const fields = Object.entries(written)
  return Object.fromEntries(
    fields.map(([name, value]) => [MARK.test(name) ? name.slice(1) : name, readContext(value)]),
  )
}

/** The files below a path, sorted, so that every machine reads them in one order. */
function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}

/** A digest that tells whether a file of an earlier run is still right: the version of this package, and the inputs. */
function fingerprintOf(inputs: readonly string[]): string {
  const hash = createHash('sha256').update(VERSION)
  for (const input of inputs) {
    try {
      for (const file of filesBelow(input)) {
        hash
          .update(`\n${file.replaceAll('\\', '/')}\n`)
          .update(createHash('sha256').update(readFileSync(file)).digest())
      }
    } catch (error) {
      refuseOption('inputs', `files and folders: ${(error as Error).message}`, input)
    }
  }
  return hash.digest('hex')
}

/** The file: what belongs to the state as a line of JSON, and then the state. */
function readShared(path: string): { readonly head: Head; readonly state: Uint8Array } | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch {
    return undefined
  }
  const end = bytes.indexOf(0x0a)
  try {
    const written: Head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))
    const head = { ...written, context: readContext(written.context) }
    return { head, state: bytes.slice(end + 1) }
  } catch {
    // No file of ours, such as one of an interrupted download: as if it were not there.
    return undefined
  }
}

function writeShared(path: string, head: Head, state: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  const line = new TextEncoder().encode(
    `${JSON.stringify({ ...head, context: writeContext(head.context) })}\n`,
  )
  const bytes = new Uint8Array(line.length + state.length)
  bytes.set(line)
  bytes.set(state, line.length)
  // Another run may read the file meanwhile: it is there as a whole, or not at all.
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, bytes)
  renameSync(temporary, path)
}

function preparedFiles(): string[] {
  return JSON.parse(process.env[VARIABLE] ?? '[]')
}

/**
 * A chain that is set up once for all test files of a run: the default export of a module that the runner's
 * `globalSetup` names, and that tests import. Each file loads the chain as the set-up left it, in a few milliseconds.
 *
 * @param options Those of `createEmulator`.
 * @param setUp Prepares the chain; what it returns is kept with it: text, numbers, bigints, booleans, arrays, objects.
 * @param kept Where the chain is kept, and whether a later run uses it.
 * @throws TickchainError `invalidCall`, `invalidOption`; for the options of the chain when it is set up or loaded
 * @see vitest and jest, `globalSetup`
 * @example
 * const shared = sharedChain({ production: 'auto' }, async (chain) => {
 *   const [alice] = await chain.listAccounts()
 *   await chain.mine(3)
 *   return { alice }
 * })
 * await shared() // the runner does it
 * const { chain: loaded, context } = await shared.load()
 * await loaded.request('eth_blockNumber') // => '0x3'
 * context.alice // => '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
 */
export function sharedChain<Context = undefined>(
  options: EmulatorOptions,
  setUp: (chain: Emulator) => Context | Promise<Context>,
  kept: SharedChainFile = {},
): SharedChain<Context> {
  const { file, inputs } = readOptions(kept, {
    file: or(text, 'node_modules/.cache/tickchain/shared-chain'),
    inputs: arrayOf(text),
  })
  if (typeof setUp !== 'function') refuseCall('sharedChain', 'a function that sets up the chain', setUp)
  const prepare = async (): Promise<void> => {
    const path = resolve(file)
    const fingerprint = inputs === undefined ? undefined : fingerprintOf(inputs)
    if (fingerprint === undefined || readShared(path)?.head.fingerprint !== fingerprint) {
      const chain = await createEmulator(options)
      leaveUnreported(chain)
      const context = await setUp(chain)
      writeShared(path, { fingerprint, context }, await chain.dump())
      chain.dispose()
    }
    process.env[VARIABLE] = JSON.stringify([...new Set([...preparedFiles(), path])])
  }
  const load = async (): Promise<LoadedChain<Context>> => {
    const path = resolve(file)
    const shared = preparedFiles().includes(path) ? readShared(path) : undefined
    if (shared === undefined) {
      const expected = `the module of the shared chain in the runner's globalSetup, for ${path}`
      return refuseCall('load', expected, 'none')
    }
    const chain = await createEmulator({ ...options, state: shared.state })
    return { chain, context: shared.head.context as Context }
  }
  return Object.assign(prepare, { load })
}
