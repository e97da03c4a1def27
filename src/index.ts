// tickchain: a deterministic layer-2 chain that lives inside a test.

export type { Emulator, RequestArguments, RequestFunction, Snapshot } from './emulator/api.ts'
export type { AccountControls, AllowanceOptions, DealOptions } from './emulator/controls/accounts.ts'
export type { ChainControls, ImportMarksOptions, RollbackOptions } from './emulator/controls/chain.ts'
export type { DelayOptions, DropOptions, Fault, FaultControls } from './emulator/controls/faults.ts'
export type { ForkControls, ForkInfo, PrefetchedAccount } from './emulator/controls/fork.ts'
export type { MineOptions, MiningControls } from './emulator/controls/mining.ts'
export type { ReorgOptions } from './emulator/controls/reorg.ts'
export type { RollupControls } from './emulator/controls/rollup.ts'
export type {
  EndSubscription,
  SubscriptionControls,
  SubscriptionFilter,
  SubscriptionResults,
} from './emulator/controls/subscriptions.ts'
export type { TimeControls } from './emulator/controls/time.ts'
export type { UnlockOptions, WalletControls } from './emulator/controls/wallet.ts'
export type { BalanceChangeOptions, Diagnostics } from './emulator/diagnostics.ts'
export {
  type AnnouncementTarget,
  type AnnounceOptions,
  announceProvider,
  type ProviderInfo,
} from './emulator/eip6963.ts'
export { createEmulator } from './emulator/emulator.ts'
export type { EmulatorEvents } from './emulator/events.ts'
export type { Abi, AbiSource } from './emulator/options/abis.ts'
export type { AccountOptions, AccountsOptions } from './emulator/options/accounts.ts'
export { base } from './emulator/options/base.ts'
export type { ForkOptions } from './emulator/options/fork.ts'
export type { GenesisAccount, GenesisOptions } from './emulator/options/genesis.ts'
export type { LimitOptions } from './emulator/options/limits.ts'
export type { EmulatorOptions } from './emulator/options/options.ts'
export type { L1Options, RollupOptions } from './emulator/options/rollup.ts'
export type { PageWallet } from './emulator/page-wallet.ts'
export { type AdvanceOnPollOptions, advanceOnPoll, type Provider } from './emulator/polling.ts'
export type { TraceControls, TraceOptions } from './emulator/tracing.ts'
export type { ConsoleLog } from './execution/result/console-log.ts'
export type { ForkStats } from './fork/fork.ts'
export type { RecordingFile } from './fork/recorder.ts'
export type { Upstream } from './fork/upstream.ts'
export type { Candidate, PartialPlan, Scheduler } from './node/faults/scheduler.ts'
export type { AbiValue } from './primitives/abi.ts'
export { type ErrorKind, TickchainError } from './primitives/errors.ts'
export type { TerminalFormat } from './primitives/terminal.ts'
export type { FaultOptions } from './rpc/codecs/fault.ts'
export type { Amount } from './rpc/codecs/numbers.ts'
export type { DepositOptions, Eip1559Options, SystemConfigOptions } from './rpc/codecs/rollup.ts'
export type { Connection } from './rpc/connection.ts'
export type { RpcAnswer, RpcReply } from './rpc/envelope.ts'
export type { FlashblockPayload } from './rpc/events/flashblocks.ts'
export type { SubscriptionMessage } from './rpc/events/subscriptions.ts'
export type { NodeInfo } from './rpc/node-info.ts'
export type { ConsoleSource } from './rpc/read-context.ts'
export type { MinedBlock, Revert, TransactionOutcome } from './rpc/transaction-outcome.ts'
export type {
  CallTrace,
  StorageChange,
  TracedCall,
  TracedConsoleLog,
  TracedError,
  TracedEvent,
  TracedPlace,
  TracedValue,
} from './solidity/calls/call-trace.ts'
export { formatTrace } from './solidity/calls/format-trace.ts'
export { formatGasReport } from './solidity/usage/format-gas.ts'
export type { ContractGas, FunctionGas, GasReport, GasStatistics } from './solidity/usage/gas-report.ts'
export { type GasRecording, recordGas } from './testing/gas-recorder.ts'
export { formatTimeline } from './testing/timeline/lines.ts'
export {
  recordTimeline,
  type Timeline,
  type TimelineDrawing,
  type TimelineOptions,
  type TimelinePictures,
  timelineFrom,
} from './testing/timeline.ts'
export { type CoupledClock, type CoupleTimersOptions, coupleTimers, type Tick } from './testing/timers.ts'
export type {
  RecordedCrossing,
  RecordedLayer,
  RecordedNote,
  RecordedTransaction,
  TimelineEvent,
  TimelineRecord,
} from './view/timeline/record.ts'
export type { TracePageOptions } from './view/trace/trace-page.ts'
export { traceToHTML } from './view/trace-to-html.ts'
