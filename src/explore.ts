// The explore entry: what a chain may do to an application, and what calls may do to contracts, tried.

export type {
  AdversaryKind,
  DropEvent,
  Events,
  FeeEvent,
  LateEvent,
  PartialEvent,
  ReorgEvent,
  Step,
  StopEvent,
} from './explore/applications/events.ts'
export { explore } from './explore/applications/explore.ts'
export { exploreAll } from './explore/applications/explore-all.ts'
export type {
  ExploreAllOptions,
  ExploreAllReport,
  ExploreOptions,
  ExploreReport,
  Invariant,
  ReplayReport,
  SaveOptions,
  Scene,
  ScriptStep,
} from './explore/applications/scene.ts'
export type { Explorable } from './explore/applications/stage.ts'
export { exploreContracts } from './explore/contracts/explore-contracts.ts'
export type {
  ContractAt,
  ContractsInvariant,
  ContractsScene,
  ContractsView,
  ExploreContractsOptions,
  ExploreContractsReport,
  ExploredContract,
  TestContract,
} from './explore/contracts/options.ts'
export { formatProgress } from './explore/format-progress.ts'
export { merge } from './explore/merge.ts'
export type { PartOptions, Progress } from './explore/parts.ts'
export { type Replayable, replay } from './explore/replay.ts'
