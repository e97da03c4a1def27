// tickchain: a deterministic layer-2 chain that lives inside a test.

export type { DropOptions, ImportMarksOptions, ReorgOptions } from './call-arguments.ts'
export { type AnnouncementTarget, announceProvider, type ProviderInfo } from './eip6963.ts'
export {
  createEmulator,
  type Emulator,
  type RequestArguments,
  type RequestFunction,
  type Snapshot,
} from './emulator.ts'
export type { EmulatorEvents } from './events.ts'
export type { Amount, GenesisAccount, GenesisOptions } from './genesis-options.ts'
export type {
  AccountsOptions,
  EmulatorOptions,
  LimitOptions,
} from './options.ts'
export { type AdvanceOnPollOptions, advanceOnPoll, type Provider } from './polling.ts'
export { type ErrorKind, TickchainError } from './primitives/errors.ts'
export type { RpcAnswer, RpcReply } from './rpc/envelope.ts'
export type { FlashblockPayload } from './rpc/flashblocks.ts'
export type { SubscriptionMessage } from './rpc/notify.ts'
export { type CoupledClock, type CoupleTimersOptions, coupleTimers, type Tick } from './timers.ts'
