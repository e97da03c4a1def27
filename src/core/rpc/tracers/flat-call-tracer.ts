// geth's flatCallTracer: the frames as a list, in OpenEthereum's form (eth/tracers/native/call_flat.go).

import { type CallFrame, listFrames, recordFrames } from '../../execution/trace/call-frames.ts'
import { isCreation } from '../../execution/trace/observer.ts'
import { bytesToHex, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { TracerOptions } from '../codecs/tracer.ts'
import { withTransactionGas } from './call-tracer.ts'
import { parityError } from './parity-errors.ts'
import type { StartTracing, TraceSubject } from './tracer.ts'

type FlatOptions = TracerOptions['flatCallTracer']

/** The fields of a frame that depend on its type; only a successful or reverted one has a result. */
function bodyOf(frame: CallFrame) {
  const { kind, from, to, value, input, output, error } = frame
  const gas = toQuantity(frame.gas)
  const gasUsed = toQuantity(frame.gasUsed)
  const hasResult = error === undefined || error === 'execution reverted'
  // As in callTracer, only a revert and a success have output.
  const data = hasResult ? bytesToHex(output) : '0x'
  if (kind === 'SELFDESTRUCT')
    return { action: { address: from, balance: toQuantity(value), refundAddress: to }, type: 'suicide' }
  if (isCreation(frame)) {
    const created = error === undefined ? { address: to } : {}
    return {
      action: {
        ...{ creationMethod: kind.toLowerCase(), from, gas, init: bytesToHex(input) },
        value: toQuantity(value),
      },
      ...(hasResult ? { result: { ...created, code: data, gasUsed } } : {}),
      type: 'create',
    }
  }
  return {
    action: {
      callType: kind.toLowerCase(),
      ...{ from, gas, input: bytesToHex(input), to },
      value: kind === 'STATICCALL' ? ('0x0' as Hex) : toQuantity(value),
    },
    ...(hasResult ? { result: { gasUsed, output: data } } : {}),
    type: 'call',
  }
}

/** OpenEthereum leaves out calls of precompiles. */
function isShown({ kind, isPrecompile }: CallFrame, { includePrecompiles }: FlatOptions): boolean {
  return includePrecompiles || !isPrecompile || (kind !== 'CALL' && kind !== 'STATICCALL')
}

function formatFlat(root: CallFrame, options: FlatOptions, { place, blockNumber }: TraceSubject): object[] {
  const passes = (call: CallFrame): boolean => isShown(call, options)
  const { blockHash = null, transactionHash = null, transactionPosition = 0 } = place ?? {}
  return listFrames(root, passes).map(({ frame, path }) => {
    const { error, calls } = frame
    const shown =
      error === undefined ? {} : { error: options.convertParityErrors ? parityError(error) : error }
    const { action, type, ...result } = bodyOf(frame)
    return {
      ...{ action, blockHash, blockNumber, ...shown, ...result, subtraces: calls.filter(passes).length },
      ...{ traceAddress: path, transactionHash, transactionPosition, type },
    }
  })
}

export const flatCallTracer: StartTracing<FlatOptions> = (options, subject) => {
  const { observer, root } = recordFrames({ frames: 'all', logs: 'ignored' }, subject.budget)
  return {
    observer,
    result: (outcome) => formatFlat(withTransactionGas(root(), subject, outcome), options, subject),
  }
}
