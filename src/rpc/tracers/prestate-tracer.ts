// geth's prestateTracer: the touched accounts before, and what changed (eth/tracers/native/prestate.go).

import {
  type AccountPart,
  diffTouched,
  type PartialState,
  touchedBefore,
} from '../../execution/trace/state-diff.ts'
import { recordTouched } from '../../execution/trace/touched-state.ts'
import { type Address, bytesToHex, type Hash, type Hex, padLeft, toQuantity } from '../../primitives/hex.ts'
import type { TracerOptions } from '../codecs/tracer.ts'
import type { StartTracing } from './tracer.ts'

interface RpcAccountPart {
  readonly balance?: Hex
  readonly nonce?: number
  readonly code?: Hex
  readonly codeHash?: Hash
  readonly storage?: Readonly<Record<Hash, Hash>>
}

function formatAccount({ balance, nonce, code, codeHash, storage }: AccountPart): RpcAccountPart {
  return {
    ...(balance === undefined ? {} : { balance: toQuantity(balance) }),
    ...(code === undefined ? {} : { code: bytesToHex(code) }),
    ...(codeHash === undefined ? {} : { codeHash }),
    ...(nonce === undefined ? {} : { nonce: Number(nonce) }),
    ...(storage === undefined
      ? {}
      : {
          storage: Object.fromEntries(
            Array.from(storage, ([slot, value]) => [slot, bytesToHex(padLeft(value, 32))]),
          ),
        }),
  }
}

function formatState(state: PartialState): Record<Address, RpcAccountPart> {
  return Object.fromEntries(Array.from(state, ([address, part]) => [address, formatAccount(part)]))
}

export const prestateTracer: StartTracing<TracerOptions['prestateTracer']> = (
  { diffMode, disableCode, disableStorage, includeEmpty },
  subject,
) => {
  const { observer, touched, touch } = recordTouched(subject.state)
  for (const address of [subject.from, subject.coinbase, ...subject.authorities]) touch(address)
  const select = { code: !disableCode, storage: !disableStorage, empty: includeEmpty }
  return {
    observer,
    result({ after }) {
      if (!diffMode) return formatState(touchedBefore(touched, subject.before, select))
      const { pre, post } = diffTouched(touched, subject.before, after, select)
      return { post: formatState(post), pre: formatState(pre) }
    },
  }
}
