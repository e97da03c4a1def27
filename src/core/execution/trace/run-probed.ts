// Runs under a probe.

import { delegateOf, readAccount } from '../../state/world-state.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import type { MessageFields } from '../evm/run-message.ts'
import { observe } from './observe.ts'
import type { CodeOf, Probe, ProbedKind } from './probe.ts'

function codeReader({ writer }: EvmInstance): CodeOf {
  return (address) => {
    const { bytes } = readAccount(writer.current, address).code
    const delegate = delegateOf(bytes)
    return delegate === undefined ? bytes : readAccount(writer.current, delegate).code.bytes
  }
}

function runsCode(
  { to, authorizationList }: Pick<MessageFields, 'to' | 'authorizationList'>,
  codeOf: CodeOf,
): boolean {
  return to === undefined || authorizationList.length > 0 || codeOf(to).length > 0
}

/** Runs a message under a probe, if there is one and the message runs code. */
export async function runProbed<Result>(
  instance: EvmInstance,
  { probe, kind }: { readonly probe: Probe | undefined; readonly kind: ProbedKind },
  message: Pick<MessageFields, 'to' | 'authorizationList'>,
  run: () => Promise<Result>,
  gasUsedBy: (result: Result) => bigint,
): Promise<Result> {
  if (probe === undefined) return run()
  const codeOf = codeReader(instance)
  if (!runsCode(message, codeOf)) return run()
  const { observer, end } = probe.begin(kind, codeOf)
  const result = await observe(instance, observer, run)
  end(gasUsedBy(result))
  return result
}
