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
export type { DropOptions, ReorgOptions } from './reorg-options.ts'
export type { RpcAnswer, RpcReply } from './rpc/envelope.ts'
export type { FlashblockPayload } from './rpc/flashblocks.ts'
export type { SubscriptionMessage } from './rpc/notify.ts'
