// The page of a trace.

import type { CallTrace } from '../../../core/rpc/call-trace.ts'
import script from '../../pages/page.ts?page'
import { element } from '../html.ts'
import { renderPage } from '../page.ts'
import { TRACE_STYLES } from './styles.ts'
import { traceSection, traceTitle } from './trace-section.ts'

/** Options of a trace's page. */
export interface TracePageOptions {
  /** Default what was called, and whether it failed. */
  readonly title?: string
}

export function tracePage(trace: CallTrace, { title = traceTitle(trace) }: TracePageOptions = {}): string {
  const [level, id] = [1, 'trace'] as const
  const body = element('main', traceSection(trace, { id, title, level }))
  return renderPage({ title, body, styles: TRACE_STYLES, script })
}
