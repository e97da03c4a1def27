// The calls of a transaction, and its steps in the debugger once somebody asks for them.

import { useState } from 'preact/hooks'
import type { CallsProps } from './debugged.tsx'
import { Answered, Button, useAnswer } from './parts.tsx'

/** The tree of calls, with the flame graph and the debugger when they are asked for, which are loaded then. */
export function DebuggedCalls(props: CallsProps) {
  const { hash, children } = props
  const [isOpen, setIsOpen] = useState(false)
  const answer = useAnswer(`steps ${hash} ${isOpen}`, async (ask) => {
    if (!isOpen) return undefined
    const { Debugged, tracedSteps } = await import('./debugged.tsx')
    return { Debugged, traced: await tracedSteps(ask, hash) }
  })
  if (answer.state === 'answered' && answer.value !== undefined) {
    const { Debugged, traced } = answer.value
    return <Debugged {...props} traced={traced} />
  }
  return (
    <>
      {children}
      {isOpen ? (
        <Answered answer={answer}>{() => <></>}</Answered>
      ) : (
        <Button onClick={() => setIsOpen(true)}>Debug</Button>
      )}
    </>
  )
}
