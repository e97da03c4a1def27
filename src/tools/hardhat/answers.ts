// What a chain answers and tells in place of Hardhat's own, for Hardhat 3 and 2.

import type { Emulator } from '../../core/emulator/api.ts'
import { escapeControls } from '../../core/primitives/text-of.ts'
import { requestLog } from './request-log.ts'

interface Platform {
  readonly console: { readonly log: (text: string) => void }
}

function print(text: string): void {
  ;(globalThis as unknown as Platform).console.log(escapeControls(text))
}

/** Prints what contracts log, and emits messages of subscriptions as providers of Hardhat do, in its order. */
export function passOnEvents(chain: Emulator, emit: (event: string, value: unknown) => void): void {
  // The transaction after an estimate says the same again.
  chain.on('consoleLog', ({ origin, message }) => {
    if (origin !== 'estimate') print(message)
  })
  chain.on('message', (message) => {
    emit('notification', message.data)
    emit('message', message)
  })
}

/** What happens around each request. */
interface Around {
  /** Moves the clock. */
  readonly before?: (() => Promise<void>) | undefined
  readonly after?: (() => Promise<void>) | undefined
}

/** Asks a chain; requests are logged if the network says so. */
export function answersOf(
  chain: Emulator,
  loggingEnabled: boolean,
  { before, after }: Around,
): (method: string, params: unknown) => Promise<unknown> {
  const log = requestLog(chain, print, loggingEnabled)
  return async (method, params) => {
    try {
      await before?.()
      const result = await chain.request(method, params)
      if (method === 'hardhat_setLoggingEnabled') log.isEnabled = (params as [boolean])[0]
      else await log.note(method, { result })
      return result
    } catch (error) {
      await log.note(method, { error })
      throw error
    } finally {
      await after?.()
    }
  }
}
