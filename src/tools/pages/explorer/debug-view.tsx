// The calls of a transaction, and its steps in the debugger once somebody asks for them.

import { type ComponentChildren, createContext } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { TracedSteps } from '../../solidity/calls/traced-steps.ts'
import { Debugger } from '../debugger/debugger.tsx'
import { readSteps, type StepReader } from '../debugger/steps.ts'
import { Answered, Button, useAnswer } from './parts.tsx'
import { type CallShape, fieldsIn, numberCalls, wrongShape } from './shapes.ts'
import type { Ask } from './source.ts'

/** The call that the debugger is in, and the function that leads it to one. */
export const DebugContext = createContext<{
  readonly current: CallShape | undefined
  readonly choose: (call: CallShape) => void
}>({ current: undefined, choose: () => undefined })

async function stepsOf(ask: Ask, hash: string): Promise<StepReader> {
  const method = 'tickchain_traceTransaction'
  const { steps } = fieldsIn(await ask(method, [hash, { steps: true }]))
  try {
    const reader = readSteps(steps as TracedSteps)
    if (reader.count > 0) reader.at(reader.count - 1)
    return reader
  } catch {
    throw wrongShape(method, 'a trace with steps', steps)
  }
}

interface CallsProps {
  readonly hash: string
  readonly call: CallShape
  /** The row of the outermost call. */
  readonly children: ComponentChildren
}

/** The tree of calls, and the debugger beside it, or below where there is no room. */
export function DebuggedCalls({ hash, call, children }: CallsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [chosenStep, setAt] = useState<number>()
  const answer = useAnswer(`steps ${hash} ${isOpen}`, async (ask) =>
    isOpen ? stepsOf(ask, hash) : undefined,
  )
  const steps = answer.state === 'answered' ? answer.value : undefined
  const at = chosenStep ?? steps?.start ?? 0
  const numbers = useMemo(() => numberCalls(call), [call])
  const chosen = steps === undefined || steps.count === 0 ? undefined : steps.callAt(at)
  const current = [...numbers.keys()].find((each) => numbers.get(each) === chosen)
  const choose = (each: CallShape): void => setAt(steps?.firstOf(numbers.get(each) ?? 0) ?? at)
  return (
    <DebugContext.Provider value={{ current, choose }}>
      <div class="debugged">
        <div>{children}</div>
        {isOpen ? (
          <Answered answer={answer}>
            {(reader) =>
              reader === undefined || reader.count === 0 ? (
                <p class="muted">No code ran.</p>
              ) : (
                <Debugger steps={reader} at={at} onGo={setAt} />
              )
            }
          </Answered>
        ) : (
          <Button onClick={() => setIsOpen(true)}>Debug</Button>
        )}
      </div>
    </DebugContext.Provider>
  )
}
