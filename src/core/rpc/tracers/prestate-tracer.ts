// geth's prestateTracer: the touched accounts before, and what changed (eth/tracers/native/prestate.go).

import {
  type AccountPart,
  diffTouched,
  type PartialState,
  touchedBefore,
} from '../../execution/trace/state-diff.ts'
import { recordTouched } from '../../execution/trace/touched-state.ts'
import { type Address, bytesToHex, type Hash, type Hex, padLeft, toQuantity } from '../../primitives/hex.ts'
import { memoizeLast } from '../../primitives/memoize-last.ts'
import type { TracerOptions } from '../codecs/tracer.ts'
import type { StartTracing } from './tracer.ts'

/** How many codes are kept as hex. */
const MOST_CODES = 16

interface RpcAccountPart {
  balance?: Hex
  nonce?: number
  code?: Hex
  codeHash?: Hash
  storage?: Record<Hash, Hash>
}

/** Traces of one contract show its code again and again. */
const codeToHex = memoizeLast(MOST_CODES, bytesToHex)

function formatAccount({ balance, nonce, code, codeHash, storage }: AccountPart): RpcAccountPart {
  const part: RpcAccountPart = {}
  if (balance !== undefined) part.balance = toQuantity(balance)
  if (code !== undefined) part.code = codeToHex(code)
  if (codeHash !== undefined) part.codeHash = codeHash
  if (nonce !== undefined) part.nonce = Number(nonce)
  if (storage !== undefined) {
    part.storage = {}
    for (const [slot, value] of storage) part.storage[slot] = bytesToHex(padLeft(value, 32))
  }
  return part
}

function formatState(state: PartialState): Record<Address, RpcAccountPart> {
  const formatted: Record<Address, RpcAccountPart> = {}
  for (const [address, part] of state) formatted[address] = formatAccount(part)
  return formatted
}

export const prestateTracer: StartTracing<TracerOptions['prestateTracer']> = (
  { diffMode, disableCode, disableStorage, includeEmpty },
  subject,
) => {
  const { observer, touched, touch } = recordTouched(subject.state)
  for (const address of [subject.from, ...subject.paid, ...subject.authorities]) touch(address)
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
