// What an execution tells an observer, for the layers above.

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
