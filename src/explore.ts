// The explore entry: what a chain may do to an application, tried.

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
export { replay } from './explore/applications/replay.ts'
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
export { formatProgress } from './explore/format-progress.ts'
export { merge } from './explore/merge.ts'
export type { PartOptions, Progress } from './explore/parts.ts'
