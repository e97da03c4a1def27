// The chains of a test, as the markup of its report. Loaded in a worker when the first test is reported.

import { element, type Markup } from '../../view/html.ts'
import { chainSection } from '../../view/report/chain-section.ts'
import type { TestError } from '../failure-trace.ts'
import { gatherChain, titleOf } from './gather-chain.ts'

const MOST_CHAINS = 6

function notice(text: string): Markup {
  return element('p', { class: 'notice' }, text)
}

/** The section of a chain, or why there is none. */
async function sectionOf(
  chain: object,
  id: string,
  title: string,
  errors: readonly TestError[],
): Promise<Markup> {
  try {
    return chainSection(await gatherChain(chain, title, errors), id)
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : `${error}`
    return notice(`${title} could not be shown: ${reason}`)
  }
}

/** The sections of chains, in the order in which they were made; those with the same title are counted. */
export async function reportChains(chains: readonly object[], errors: readonly TestError[]): Promise<string> {
  const titles = new Map<string, number>()
  const sections: Markup[] = []
  for (const [index, chain] of chains.slice(0, MOST_CHAINS).entries()) {
    const title = titleOf(chain)
    const before = titles.get(title) ?? 0
    titles.set(title, before + 1)
    const counted = before === 0 ? title : `${title}, number ${before + 1}`
    sections.push(await sectionOf(chain, `chain-${index + 1}`, counted, errors))
  }
  const more = chains.length - MOST_CHAINS
  if (more > 0) sections.push(notice(`${more} more chains of this test are left out.`))
  return sections.map(({ markup }) => markup).join('\n')
}
