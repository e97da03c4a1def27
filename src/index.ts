// tickchain: a deterministic layer-2 chain that lives inside a test.

export type { Abi, AbiSource } from './abi-arguments.ts'
export type { AllowanceOptions, DealOptions } from './account-arguments.ts'
export type { AccountControls } from './account-controls.ts'
export type { AccountOptions, AccountsOptions } from './account-options.ts'
export type { DropOptions, ImportMarksOptions, ReorgOptions } from './chain-arguments.ts'
export type { ChainControls, RollbackOptions } from './chain-controls.ts'
export type { BalanceChangeOptions, Diagnostics } from './diagnostics.ts'
export { type AnnouncementTarget, announceProvider, type ProviderInfo } from './eip6963.ts'
export {
  createEmulator,
  type Emulator,
  type RequestArguments,
  type RequestFunction,
  type Snapshot,
} from './emulator.ts'
export type { EmulatorEvents } from './events.ts'
export type { ConsoleLog } from './execution/console-log.ts'
export type { DelayOptions, Fault, FaultControls } from './fault-controls.ts'
export type { Amount, GenesisAccount, GenesisOptions } from './genesis-options.ts'
export type { LimitOptions } from './limit-options.ts'
export type { MineOptions, MiningControls } from './mining-controls.ts'
export type { Candidate, PartialPlan, Scheduler } from './node/scheduling.ts'
export type { EmulatorOptions } from './options.ts'
export { type AdvanceOnPollOptions, advanceOnPoll, type Provider } from './polling.ts'
export type { AbiValue } from './primitives/abi.ts'
export { type ErrorKind, TickchainError } from './primitives/errors.ts'
export type { FaultOptions } from './rpc/codecs/fault.ts'
export type { RpcAnswer, RpcReply } from './rpc/envelope.ts'
export type { FlashblockPayload } from './rpc/flashblocks.ts'
export type { NodeInfo } from './rpc/node-info.ts'
export type { SubscriptionMessage } from './rpc/notify.ts'
export type { ConsoleSource } from './rpc/session.ts'
export type { MinedBlock, Revert, TransactionOutcome } from './rpc/transaction-outcome.ts'
export type { TimeControls } from './time-controls.ts'
export { recordTimeline, type Timeline, type TimelineOptions } from './timeline.ts'
export { type CoupledClock, type CoupleTimersOptions, coupleTimers, type Tick } from './timers.ts'
export type { UnlockOptions, WalletControls } from './wallet-controls.ts'
