// tickchain: a deterministic layer-2 chain that lives inside a test.

export type { Emulator, RequestArguments, RequestFunction, Snapshot } from './core/emulator/api.ts'
export type { AccountControls, AllowanceOptions, DealOptions } from './core/emulator/controls/accounts.ts'
export type {
  ChainControls,
  ImportMarksOptions,
  ReorgOptions,
  RollbackOptions,
} from './core/emulator/controls/chain.ts'
export type { DelayOptions, DropOptions, Fault, FaultControls } from './core/emulator/controls/faults.ts'
export type { ForkControls, ForkInfo, PrefetchedAccount } from './core/emulator/controls/fork.ts'
export type { MineOptions, MiningControls } from './core/emulator/controls/mining.ts'
export type { RollupControls } from './core/emulator/controls/rollup.ts'
export type {
  EndSubscription,
  SubscriptionControls,
  SubscriptionFilter,
  SubscriptionResults,
} from './core/emulator/controls/subscriptions.ts'
export type { TimeControls } from './core/emulator/controls/time.ts'
export type { UnlockOptions, WalletControls } from './core/emulator/controls/wallet.ts'
export type { PageWallet } from './core/emulator/eip6963.ts'
export {
  type AnnouncementTarget,
  type AnnounceOptions,
  announceProvider,
  type ProviderInfo,
} from './core/emulator/eip6963.ts'
export type { EmulatorEvents } from './core/emulator/events.ts'
export type { Abi, AbiSource, AccountOptions, AccountsOptions } from './core/emulator/options/accounts.ts'
export { base, opMainnet, unichain } from './core/emulator/options/base.ts'
export type { ForkOptions } from './core/emulator/options/fork.ts'
export type { GenesisAccount, GenesisOptions } from './core/emulator/options/genesis.ts'
export type { LimitOptions } from './core/emulator/options/limits.ts'
export type { EmulatorOptions } from './core/emulator/options/options.ts'
export type { L1Options, RollupOptions } from './core/emulator/options/rollup.ts'
export { type AdvanceOnPollOptions, advanceOnPoll, type Provider } from './core/emulator/polling.ts'
export type {
  BalanceChangeOptions,
  Diagnostics,
  TraceControls,
  TraceOptions,
} from './core/emulator/tracing.ts'
export type { ConsoleLog } from './core/execution/result/console-log.ts'
export type { ForkStats } from './core/fork/fork.ts'
export type { RecordingFile } from './core/fork/recording.ts'
export type { Upstream } from './core/fork/upstream.ts'
export type { Candidate, PartialPlan, Scheduler } from './core/node/control/controls.ts'
export type { AbiValue } from './core/primitives/abi.ts'
export { type ErrorKind, TickchainError } from './core/primitives/errors.ts'
export type { TerminalFormat } from './core/primitives/terminal.ts'
export type {
  CallTrace,
  StorageChange,
  TracedCall,
  TracedConsoleLog,
  TracedError,
  TracedEvent,
  TracedPlace,
  TracedValue,
} from './core/rpc/call-trace.ts'
export type { Amount } from './core/rpc/codecs/codec.ts'
export type { FaultOptions } from './core/rpc/codecs/fault.ts'
export type { DepositOptions, Eip1559Options, SystemConfigOptions } from './core/rpc/codecs/rollup.ts'
export type { Connection, RpcAnswer, RpcReply } from './core/rpc/envelope.ts'
export type { FlashblockPayload } from './core/rpc/events/flashblocks.ts'
export type { SubscriptionMessage } from './core/rpc/events/waits.ts'
export type { ConsoleSource } from './core/rpc/session.ts'
export type { MinedBlock, NodeInfo, Revert, TransactionOutcome } from './core/rpc/transaction-outcome.ts'
export { formatTrace } from './tools/solidity/calls/format-trace.ts'
export { createEmulator } from './tools/solidity/create-emulator.ts'
export { formatGasReport } from './tools/solidity/usage/format-usage.ts'
export type { ContractGas, FunctionGas, GasReport, GasStatistics } from './tools/solidity/usage/usage.ts'
export { type GasRecording, recordGas } from './tools/testing/gas-recorder.ts'
export { formatTimeline } from './tools/testing/timeline/lines.ts'
export {
  recordTimeline,
  type Timeline,
  type TimelineDrawing,
  type TimelineOptions,
  type TimelinePictures,
  timelineFrom,
} from './tools/testing/timeline.ts'
export {
  type CoupledClock,
  type CoupleTimersOptions,
  coupleTimers,
  type Tick,
} from './tools/testing/timers.ts'
export type {
  RecordedCrossing,
  RecordedLayer,
  RecordedNote,
  RecordedTransaction,
  TimelineEvent,
  TimelineRecord,
} from './tools/view/timeline/record.ts'
export type { TracePageOptions } from './tools/view/trace/trace-section.ts'
export { traceToHTML } from './tools/view/trace-to-html.ts'
