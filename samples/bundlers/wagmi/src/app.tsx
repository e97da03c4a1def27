// A page as an application has it: nothing here knows that its chain is an emulator.

import { useState } from 'react'
import {
  useBalance,
  useCallsStatus,
  useCapabilities,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  useReadContract,
  useSendCalls,
  useSignMessage,
  useSwitchChain,
  useWaitForTransactionReceipt,
  useWatchContractEvent,
  useWriteContract,
} from 'wagmi'
import { base } from 'wagmi/chains'
import { COUNTER } from './counter.ts'

/** The names of an error and of its causes. */
function namesOf(error: unknown): string[] {
  return error instanceof Error ? [error.name, ...namesOf(error.cause)] : []
}

/** What happened to a request, in a line of its own. */
function Outcome({
  of: label,
  error,
  value,
}: {
  of: string
  error: Error | null
  value: string | undefined
}) {
  return (
    <p>
      {label}: {error === null ? (value ?? 'nothing') : namesOf(error).join(' of ')}
    </p>
  )
}

function Connect() {
  const connectors = useConnectors()
  const { mutate: connect, error } = useConnect()
  return (
    <section>
      {connectors.map((connector) => (
        <button key={connector.uid} type="button" onClick={() => connect({ connector })}>
          Connect {connector.name}
        </button>
      ))}
      <Outcome of="Connection" error={error} value={undefined} />
    </section>
  )
}

function Account() {
  const { address, addresses, chainId } = useConnection()
  const { mutate: disconnect } = useDisconnect()
  const { mutate: switchChain, error } = useSwitchChain()
  const { data: balance } = useBalance({ address })
  return (
    <section>
      <p>Account: {address}</p>
      <p>Accounts: {addresses?.length}</p>
      <p>Chain: {chainId}</p>
      <p>Balance: {balance?.value.toString()}</p>
      <button type="button" onClick={() => disconnect()}>
        Disconnect
      </button>
      <button type="button" onClick={() => switchChain({ chainId: base.id })}>
        Switch chain
      </button>
      <Outcome of="Switch" error={error} value={undefined} />
    </section>
  )
}

function Counter() {
  const { data: count, refetch } = useReadContract({ ...COUNTER, functionName: 'count' })
  const { mutate: write, data: hash, error } = useWriteContract()
  const { data: receipt, error: failure } = useWaitForTransactionReceipt({ hash })
  const [events, setEvents] = useState<readonly bigint[]>([])
  useWatchContractEvent({
    ...COUNTER,
    eventName: 'Incremented',
    onLogs(logs) {
      setEvents((before) => [...before, ...logs.flatMap(({ args }) => args.value ?? [])])
      void refetch()
    },
  })
  return (
    <section>
      <p>Count: {count?.toString()}</p>
      <p>Events: {events.join(', ')}</p>
      <button type="button" onClick={() => write({ ...COUNTER, functionName: 'increment' })}>
        Increment
      </button>
      <button type="button" onClick={() => write({ ...COUNTER, functionName: 'decrement', gas: 100_000n })}>
        Decrement
      </button>
      <Outcome of="Sent" error={error} value={hash} />
      <Outcome of="Receipt" error={failure} value={receipt?.status} />
    </section>
  )
}

function Calls() {
  const { address } = useConnection()
  const { data: capabilities } = useCapabilities({ account: address })
  const { mutate: send, data, error } = useSendCalls()
  const { data: status } = useCallsStatus({
    id: data?.id ?? '',
    query: {
      enabled: data !== undefined,
      refetchInterval: ({ state }) => (state.data?.status === 'success' ? false : 50),
    },
  })
  const call = { to: COUNTER.address, data: '0xd09de08a' } as const
  return (
    <section>
      <p>Capabilities: {JSON.stringify(capabilities)}</p>
      <button type="button" onClick={() => send({ calls: [call, call] })}>
        Increment twice
      </button>
      <button type="button" onClick={() => send({ calls: [call, call], forceAtomic: true })}>
        Increment twice at once
      </button>
      <Outcome of="Bundle" error={error} value={status?.status} />
    </section>
  )
}

function Sign() {
  const { mutate: sign, data, error } = useSignMessage()
  return (
    <section>
      <button type="button" onClick={() => sign({ message: 'to whom it concerns' })}>
        Sign
      </button>
      <Outcome of="Signature" error={error} value={data} />
    </section>
  )
}

export function App() {
  const { status } = useConnection()
  return (
    <>
      <h1>A counter</h1>
      <p>Status: {status}</p>
      {status === 'connected' ? (
        <>
          <Account />
          <Counter />
          <Calls />
          <Sign />
        </>
      ) : (
        <Connect />
      )}
    </>
  )
}
