// The explore entry: what a chain may do to an application, and what calls may do to contracts, tried.

export { explore } from './tools/explore/applications/explore.ts'
export { exploreAll } from './tools/explore/applications/explore-all.ts'
export type {
  AdversaryKind,
  DropEvent,
  Events,
  ExploreAllOptions,
  ExploreAllReport,
  ExploreOptions,
  ExploreReport,
  FeeEvent,
  Invariant,
  LateEvent,
  PartialEvent,
  ReorgEvent,
  ReplayReport,
  Scene,
  ScriptStep,
  Step,
  StopEvent,
} from './tools/explore/applications/scene.ts'
export type { Explorable } from './tools/explore/applications/stage.ts'
export { exploreContracts } from './tools/explore/contracts/explore-contracts.ts'
export type {
  ContractAt,
  ContractsInvariant,
  ContractsScene,
  ContractsView,
  ExploreContractsOptions,
  ExploreContractsReport,
  ExploredContract,
  FunctionReport,
  TestContract,
} from './tools/explore/contracts/options.ts'
export type { SourcePlace } from './tools/explore/failures.ts'
export { formatProgress } from './tools/explore/format-progress.ts'
export { merge } from './tools/explore/merge.ts'
export type {
  CorpusOptions,
  CorpusStore,
  PartOptions,
  Progress,
  SaveOptions,
} from './tools/explore/part-options.ts'
export { type Replayable, replay } from './tools/explore/replay.ts'
export type {
  SolidityTestResult,
  TestArtifactsOptions,
  TestFork,
  TestForks,
  TestMatch,
  TestOptions,
} from './tools/explore/tests/options.ts'
export { runTestArtifacts } from './tools/explore/tests/run-artifacts.ts'
