// Observers of executions, for the layers above.

import type { FrameStart } from '../../interpreter/observer.ts'

export type {
  FrameEnd,
  FrameKind,
  FrameStart,
  ObservedLog,
  ObservedStep,
  Observer,
  StateAccess,
  StepEnd,
} from '../../interpreter/observer.ts'

export function isCreation({ kind }: Pick<FrameStart, 'kind'>): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}
