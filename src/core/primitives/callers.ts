// Frames of the code that called the library. An error of the library begins with them: its own frames say nothing to a
// user, and would leave no room for the user's. Engines without V8's frames keep the stack that they make.

/** The frames of the library, which come first, may be many. */
const MOST_FRAMES = 50

/** The calls that led to a place, as the stack of an error: it is made into text only when it is read. */
export type Callers = { readonly stack?: string }

/** Sets how many frames V8 captures, and returns how many it did. A frozen Error keeps its limit. */
export function limitFrames(limit: unknown): unknown {
  const before: unknown = Reflect.get(Error, 'stackTraceLimit')
  Reflect.set(Error, 'stackTraceLimit', limit)
  return before
}

/** Captures the calls that led here. Where promises are awaited, V8 finds those that wait, too. */
export function callersHere(): Callers {
  const limit = limitFrames(MOST_FRAMES)
  const callers = new Error()
  limitFrames(limit)
  return callers
}

let known: Callers | undefined

/** Runs with calls that were captured already: capturing them again takes 4 % of a transfer. */
export function withCallers<Result>(callers: Callers | undefined, run: () => Result): Result {
  const before = known
  known = callers
  try {
    return run()
  } finally {
    known = before
  }
}

/** The calls that were captured further up the stack, or else those that led here. */
export function knownCallers(): Callers {
  return known ?? callersHere()
}

/** The address of a frame's file; `undefined` for a native function. */
function fileOf(frame: string): string | undefined {
  return /[(@ ]((?:[a-z-]+:|\/|[A-Z]:\\).*?):\d+:\d+\)?$/.exec(frame)?.[1]
}

/** None where `Error.prepareStackTrace` makes something else of a stack than text. */
function framesOf(stack: unknown): readonly string[] {
  if (typeof stack !== 'string') return []
  return stack.split('\n').filter((line) => /^\s+at |@.*:\d+$/.test(line))
}

let own: string | undefined

/** The folder of the library: that of its sources, or that of its bundle. */
function ownFolder(): string {
  const file = fileOf(framesOf(callersHere().stack)[0] ?? '') ?? ''
  own ??= file.replace(/(?:core[\\/]primitives[\\/])?[^\\/]*$/, '')
  return own
}

/**
 * The frames of a stack without those of the library, and without the runtime's before the first that is left; all of
 * them if nothing is left, as where library and application are bundled into one file.
 */
export function callerFrames(stack: unknown): readonly string[] {
  const all = framesOf(stack)
  const folder = ownFolder()
  const isOwn = (frame: string): boolean => folder !== '' && frame.includes(folder)
  const isCallers = (frame: string): boolean =>
    /^(?!node:|wasm:|internal)/.test(fileOf(frame) ?? 'node:') && !isOwn(frame)
  const first = all.findIndex(isCallers)
  return first === -1 ? all : all.slice(first).filter((frame) => !isOwn(frame))
}

/** The origin of an error: lines of contracts, innermost call first, and the calls that led to it. */
interface Trace {
  readonly lines: readonly string[]
  readonly callers: Callers
}

const TRACES = new WeakMap<Error, Trace>()

/** One for all errors; each has the property, because an error's own stack hides that of its class. */
const STACK: PropertyDescriptor & ThisType<Error> = {
  configurable: true,
  get() {
    const header = `${this.name}: ${this.message}`
    // A proxy of an error, or an object that inherits from it, has no trace of its own.
    const { lines, callers } = TRACES.get(this) ?? { lines: [], callers: {} }
    return [header, ...lines, ...callerFrames(callers.stack)].join('\n')
  },
  set(value: unknown) {
    Object.defineProperty(this, 'stack', { value, configurable: true, writable: true })
  },
}

/** Lets the stack of an error show where it comes from. It is put together when it is read: source maps take 50 ms at first. */
export function showTrace(error: Error, trace: Trace): void {
  TRACES.set(error, trace)
  Object.defineProperty(error, 'stack', STACK)
}

export function traceOf(error: Error): Trace {
  return TRACES.get(error) ?? { lines: [], callers: error }
}

/** Lets an error of the library begin with the calls that were captured when it was called. */
export function calledFrom<Thrown>(callers: Callers, error: Thrown): Thrown {
  if (error instanceof Error && TRACES.has(error)) showTrace(error, { ...traceOf(error), callers })
  return error
}
