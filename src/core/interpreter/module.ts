// The WebAssembly modules of the interpreter, compiled once per process: that for all executions, and the builds that tell
// of steps and record coverage, which load with the first execution that wants them.

import { load } from '../primitives/loading.ts'
import { compileModule, type ExportedAddress, instantiateModule } from '../primitives/web-assembly.ts'
import { MODULE } from './generated.ts'

/** Exports of assembly/interpreter.ts. */
export interface CoreExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Addresses of tables and of the first frame; assembly/layout.ts describes their contents. */
  readonly opcodes: ExportedAddress
  readonly parameters: ExportedAddress
  readonly environment: ExportedAddress
  readonly environmentKnown: ExportedAddress
  readonly arena: ExportedAddress
  /** Tables of assembly/slots.ts: its state, accounts, slots and journal, and the slot that it misses. */
  readonly slotsState: ExportedAddress
  readonly owners: ExportedAddress
  readonly slots: ExportedAddress
  readonly journal: ExportedAddress
  readonly missed: ExportedAddress
  /** Tables of assembly/calls.ts: its state, the accounts that it knows, and their codes. */
  readonly calls: ExportedAddress
  readonly callees: ExportedAddress
  readonly codes: ExportedAddress
  /** The slots that were used; only in the build for coverage. */
  readonly used: ExportedAddress
  /** Accesses to storage, and their number; only in the build for coverage. */
  readonly accesses: ExportedAddress
  readonly accessCount: { value: number }
  readonly undo: (length: number) => void
  readonly changes: () => number
  readonly forget: () => void
  /** Places that the stepping build has noted, as assembly/noting.ts says. */
  readonly places: ExportedAddress
  readonly noted: { value: number }
  /** The branches that code has taken, as assembly/edges.ts says; only in the build for coverage. */
  readonly edges: ExportedAddress
  readonly found: ExportedAddress
  readonly foundCount: { value: number }
  readonly lastEdge: { value: number }
  readonly comparisons: ExportedAddress
  readonly comparisonCount: { value: number }
  readonly run: (frame: number, charge: number) => number
  readonly analyze: (code: number, length: number, targets: number) => void
  /** Grows linear memory up to an address; 0 if it cannot. */
  readonly reserve: (end: bigint) => number
}

/** The import of the stepping build: an opcode before its execution. */
export type TellStep = (frame: number, pc: number, sp: number, gas: number, opcode: number) => void

/** The build for all executions, that which tells of steps, and that which records coverage. */
type Build = 'plain' | 'stepping' | 'covering'

const SOURCES: Readonly<Record<Build, () => Promise<{ readonly MODULE: string }>>> = {
  plain: async () => ({ MODULE }),
  stepping: () => import('./generated-stepping.ts'),
  covering: () => import('./generated-covering.ts'),
}

const compiled = new Map<Build, object>()

/** Compiles a build of the interpreter, once for the process. */
export async function loadInterpreter(build: Build = 'plain'): Promise<void> {
  if (compiled.has(build)) return
  const source = await load(SOURCES[build]())
  compiled.set(build, await load(compileModule(source.MODULE)))
}

/** An instance of a build; `step` listens to that which tells of steps. */
export function instantiateInterpreter(build: Build = 'plain', step?: TellStep): CoreExports {
  const module = compiled.get(build)
  if (module === undefined) throw new Error('the module has not been loaded yet')
  return instantiateModule(module, { host: { step } }) as CoreExports
}
