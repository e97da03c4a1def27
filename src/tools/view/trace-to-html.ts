// The page of a trace, made by modules that are loaded when the first page is.

import { failure, readArgument } from '../../core/primitives/errors.ts'
import { load } from '../../core/primitives/loading.ts'
import { describe } from '../../core/primitives/text-of.ts'
import type { CallTrace } from '../../core/rpc/call-trace.ts'
import type { TracePageOptions } from './trace/trace-section.ts'

/**
 * A trace as an HTML file that loads nothing: the tree of calls, which unfolds, with arguments, events, console.log
 * lines, results and errors; the lines of the sources beside the calls that failed; a flame graph of the gas, which
 * zooms; and storage before and after. With the steps of the execution, a debugger goes through them, forwards and back.
 * Without sources and ABIs it has selectors and hex.
 *
 * @param trace What `chain.trace` resolves to.
 * @param options The title.
 * @throws TickchainError `invalidCall`, `invalidOption`
 * @see `formatTrace`, the same as text
 * @example
 * await chain.advance(200)
 * const html = await traceToHTML(await chain.trace(hash), { title: 'A payment' })
 * html.includes('<title>A payment</title>') // => true
 */
export async function traceToHTML(trace: CallTrace, options: TracePageOptions = {}): Promise<string> {
  const { tracePage } = await load(import('./trace/trace-section.ts'))
  return readArgument(
    'traceToHTML',
    'what chain.trace resolves to, and options',
    () => {
      const { title } = options
      if (title !== undefined && typeof title !== 'string')
        throw failure('invalidOption', { option: 'title', reason: `expected a text, got ${describe(title)}` })
      return tracePage(trace, options)
    },
    trace,
  )
}
