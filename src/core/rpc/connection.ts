// Connections, which have subscriptions of their own, as over a WebSocket.

import { failure, TickchainError } from '../primitives/errors.ts'
import type { Hex } from '../primitives/hex.ts'
import { mismatch } from './codecs/codec.ts'
import { answerText } from './envelope.ts'
import { endSubscriptions, type Receiver } from './events/waits.ts'
import { outcomeWith } from './method.ts'
import type { Session } from './session.ts'

/** A client's connection to an emulator. */
export interface Connection {
  /**
   * Takes a JSON-RPC body from the client, one request or a batch. The answer goes to the function that `connect` was
   * given. Resolves when it has been given; rejects only what is no text, with `invalidCall`.
   */
  receive(text: string): Promise<void>
  /** Ends the connection and its subscriptions. Nothing is sent from now on; requests that have arrived take effect. */
  close(): void
}

export function openConnection(session: Session, send: (text: string) => void): Connection {
  let isOpen = true
  const sendOpen = (text: string): void => {
    if (isOpen) send(text)
  }
  // A client can tell whose a message is only once it has the answer to its eth_subscribe.
  const early = new Map<Hex, string[]>()
  const emit: Receiver = ({ data }) => {
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: data })
    const waiting = early.get(data.subscription)
    if (waiting === undefined) sendOpen(text)
    else waiting.push(text)
  }
  const own: Session = { ...session, canPush: true, emit }
  return {
    async receive(text) {
      if (typeof text !== 'string') {
        const reason = mismatch('text, such as data.toString()', text)
        throw failure('invalidCall', { call: 'receive', reason })
      }
      if (!isOpen) return
      const begun: Hex[] = []
      const tellSubscribed = (id: Hex): void => {
        begun.push(id)
        early.set(id, [])
      }
      const answer = await answerText({ ...own, tellSubscribed }, text)
      if (answer !== '') sendOpen(answer)
      for (const id of begun) {
        const messages = early.get(id) ?? []
        early.delete(id)
        for (const message of messages) sendOpen(message)
      }
    },
    close() {
      isOpen = false
      // In its turn, after those requests that have not begun their subscriptions yet.
      session.node
        .execute((state) =>
          outcomeWith(state, undefined, () => endSubscriptions(session.subscriptions, emit)),
        )
        .catch((error: unknown) => {
          // An emulator that is disposed of sends nothing any more.
          if (!(error instanceof TickchainError && error.kind === 'disposed')) throw error
        })
    },
  }
}
