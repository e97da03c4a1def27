// The flame graph and the debugger of a transaction beside its calls. Loaded when the first one is debugged.

import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { TracedSteps } from '../../solidity/calls/traced-steps.ts'
import { type FlameRow, flameRows } from '../../view/trace/flame-graph.ts'
import { Debugger } from '../debugger/debugger.tsx'
import { Flame } from '../debugger/flame.tsx'
import { readSteps, type StepReader } from '../debugger/steps.ts'
import { DebugContext } from './parts.tsx'
import { type CallShape, decodedCall, fieldsIn, isFields, wrongShape } from './shapes.ts'
import type { Ask } from './source.ts'
import { abbreviateHex } from './text.ts'

export interface CallsProps {
  readonly hash: string
  readonly call: CallShape
  /** The row of the outermost call. */
  readonly children: ComponentChildren
}

interface Traced {
  readonly steps: StepReader
  readonly rows: readonly FlameRow[]
}

export async function tracedSteps(ask: Ask, hash: string): Promise<Traced> {
  const method = 'tickchain_traceTransaction'
  const trace = fieldsIn(await ask(method, [hash, { steps: true }]))
  try {
    const steps = readSteps(trace['steps'] as TracedSteps)
    if (steps.count > 0) steps.at(steps.count - 1)
    const outermost = decodedCall(isFields(trace['call']) ? trace['call'] : {})
    const whole = ['Transaction', Number(trace['intrinsicGas'])] as const
    return { steps, rows: flameRows(outermost, whole, abbreviateHex) }
  } catch {
    throw wrongShape(method, 'a trace with steps', trace['steps'])
  }
}

/** The calls of a trace in their order, which is that of their numbers in steps, each with those that it is in. */
function pathsOf(call: CallShape, outer: readonly CallShape[] = []): (readonly CallShape[])[] {
  const path = [...outer, call]
  const inner = call.entries.flatMap((entry) => (entry.type === 'call' ? pathsOf(entry, path) : []))
  return [path, ...inner]
}

/** The tree of calls with the debugger beside it, or below where there is no room, and the flame graph above. */
export function Debugged({ traced, call, children }: CallsProps & { readonly traced: Traced }) {
  const { steps, rows } = traced
  const [at, setAt] = useState(steps.start)
  const [chosen, setChosen] = useState<number>()
  const paths = useMemo(() => pathsOf(call), [call])
  const go = (step: number): void => {
    setAt(step)
    setChosen(steps.callAt(step))
  }
  const choose = (number: number): void => {
    setAt(steps.firstOf(number) ?? at)
    setChosen(number)
  }
  const current = chosen ?? (steps.count === 0 ? undefined : steps.callAt(at))
  const path = current === undefined ? [] : (paths[current] ?? [])
  const chooseCall = (each: CallShape): void => choose(paths.findIndex((other) => other.at(-1) === each))
  return (
    <DebugContext.Provider value={{ path, choose: chooseCall }}>
      <Flame rows={rows} call={current} onChoose={choose} />
      <div class="debugged">
        <div>{children}</div>
        {steps.count === 0 ? <p class="muted">No code ran.</p> : <Debugger steps={steps} at={at} onGo={go} />}
      </div>
    </DebugContext.Provider>
  )
}
