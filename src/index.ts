// tickchain: a deterministic layer-2 chain that lives inside a test.

export {
  createEmulator,
  type Emulator,
  type RequestArguments,
  type RequestFunction,
  type Snapshot,
} from './emulator.ts'
export type { EmulatorEvents } from './events.ts'
export type {
  AccountsOptions,
  Amount,
  EmulatorOptions,
  GenesisAccount,
  GenesisOptions,
  LimitOptions,
} from './options.ts'
export { type ErrorKind, TickchainError } from './primitives/errors.ts'
