// An account: balance, nonce, code and storage, `pending` beside `latest`.

import type { JSX } from 'preact'
import { AccountName, Answered, BothHead, Bytes, Scroll } from './parts.tsx'
import { isUnknownMethod } from './provider-source.ts'
import { hexOf, isFields, quantityOf, wrongShape } from './shapes.ts'
import { etherText, groupDigits } from './text.ts'
import { type Ask, useAnswer } from './use-store.ts'

interface SlotShape {
  readonly slot: string
  readonly value: string
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

interface AccountShape {
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: string
  /** `undefined` if the provider cannot list it. */
  readonly storage: readonly SlotShape[] | undefined
}

function slotOf(method: string, value: unknown): SlotShape {
  const slot = isFields(value) ? hexOf(value['slot']) : undefined
  if (!isFields(value) || slot === undefined) throw wrongShape(method, 'a list of slots', value)
  const variables = Array.isArray(value['variables']) ? value['variables'].filter(isFields) : []
  return {
    slot,
    value: hexOf(value['value']) ?? '0x',
    variables: variables.map((each) => ({ name: `${each['name']}`, value: `${each['value']}` })),
  }
}

async function storageOf(ask: Ask, address: string, tag: string): Promise<readonly SlotShape[] | undefined> {
  const method = 'tickchain_getStorage'
  try {
    const slots = await ask(method, [address, tag])
    if (!Array.isArray(slots)) throw wrongShape(method, 'a list of slots', slots)
    return slots.map((each) => slotOf(method, each))
  } catch (error) {
    if (isUnknownMethod(error)) return undefined
    throw error
  }
}

async function accountAt(ask: Ask, address: string, tag: string): Promise<AccountShape> {
  const [balance, nonce, code, storage] = await Promise.all([
    ask('eth_getBalance', [address, tag]),
    ask('eth_getTransactionCount', [address, tag]),
    ask('eth_getCode', [address, tag]),
    storageOf(ask, address, tag),
  ])
  const wei = quantityOf(balance)
  if (wei === undefined) throw wrongShape('eth_getBalance', 'a quantity', balance)
  return { balance: wei, nonce: quantityOf(nonce) ?? 0n, code: hexOf(code) ?? '0x', storage }
}

async function bothOf(ask: Ask, address: string): Promise<readonly [AccountShape, AccountShape]> {
  const [latest, pending] = await Promise.all([
    accountAt(ask, address, 'latest'),
    accountAt(ask, address, 'pending'),
  ])
  return [latest, pending]
}

/** A row of a table of both states, which marks a difference. */
function BothRow({
  term,
  latest,
  pending,
}: {
  readonly term: JSX.Element | string
  readonly latest: string
  readonly pending: string
}): JSX.Element {
  const isChanged = latest !== pending
  return (
    <tr class={isChanged ? 'changed' : ''}>
      <th scope="row">{term}</th>
      <td class="amount">{latest}</td>
      <td class="amount">
        {isChanged ? <span class="partial">● </span> : ''}
        {pending}
      </td>
    </tr>
  )
}

/** The variables of storage in either state, by name; slots without a name by number. */
function storageRows(
  latest: readonly SlotShape[],
  pending: readonly SlotShape[],
): { readonly name: string; readonly latest: string; readonly pending: string }[] {
  const valuesIn = (slots: readonly SlotShape[]): Map<string, string> =>
    new Map(
      slots.flatMap(({ slot, value, variables }) =>
        variables.length === 0
          ? [[slot, value] as const]
          : variables.map((each) => [each.name, each.value] as const),
      ),
    )
  const [before, after] = [valuesIn(latest), valuesIn(pending)]
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names.map((name) => ({
    name,
    latest: before.get(name) ?? '–',
    pending: after.get(name) ?? '–',
  }))
}

function StorageTable({
  latest,
  pending,
}: {
  readonly latest: AccountShape
  readonly pending: AccountShape
}): JSX.Element {
  if (latest.storage === undefined || pending.storage === undefined)
    return <p class="muted">The provider has no tickchain_getStorage, which lists storage.</p>
  const rows = storageRows(latest.storage, pending.storage)
  if (rows.length === 0) return <p class="muted">Empty.</p>
  return (
    <Scroll label="Storage">
      <table class="both">
        <BothHead />
        <tbody>
          {rows.map(({ name, ...values }) => (
            <BothRow key={name} term={<code class="long">{name}</code>} {...values} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function AccountBody({
  address,
  latest,
  pending,
}: {
  readonly address: string
  readonly latest: AccountShape
  readonly pending: AccountShape
}): JSX.Element {
  return (
    <>
      <p>
        <AccountName address={address} /> <code class="long">{address}</code>
      </p>
      <table class="both">
        <BothHead />
        <tbody>
          <BothRow
            term="Balance, ether"
            latest={etherText(latest.balance)}
            pending={etherText(pending.balance)}
          />
          <BothRow term="Nonce" latest={groupDigits(latest.nonce)} pending={groupDigits(pending.nonce)} />
          <BothRow
            term="Code, bytes"
            latest={groupDigits((latest.code.length - 2) / 2)}
            pending={groupDigits((pending.code.length - 2) / 2)}
          />
        </tbody>
      </table>
      <h3>Storage</h3>
      <StorageTable latest={latest} pending={pending} />
      <h3>Code</h3>
      {pending.code === '0x' ? <p class="muted">None.</p> : <Bytes hex={pending.code} label="Runtime code" />}
    </>
  )
}

export function AccountView({ address }: { readonly address: string }): JSX.Element {
  const answer = useAnswer(`account ${address}`, (ask) => bothOf(ask, address))
  return (
    <Answered answer={answer}>
      {([latest, pending]) => <AccountBody address={address} latest={latest} pending={pending} />}
    </Answered>
  )
}
