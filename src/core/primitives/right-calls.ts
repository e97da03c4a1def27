// Right calls of functions whose arguments are often given otherwise, for the messages of wrong ones.

const RIGHT_CALLS: ReadonlyMap<string, string> = new Map([
  ['advance', 'advance(200)'],
  ['jump', 'jump(86_400_000)'],
  ['increaseTime', 'increaseTime({ seconds: 60 })'],
  ['setTime', 'setTime(1_735_689_600)'],
  ['setNextBlockTimestamp', 'setNextBlockTimestamp(1_735_689_600)'],
  ['setBlockTimestampInterval', 'setBlockTimestampInterval({ seconds: 12 })'],
  ['setIntervalMining', 'setIntervalMining({ ms: 12_000 })'],
  ['mine', 'mine(10, { intervalSeconds: 60 })'],
  ['closePartial', 'closePartial([hash])'],
  ['revert', 'revert(chain.snapshot())'],
  ['on', "on('partialBlock', listener)"],
  ['reorg', 'reorg({ depth: 1 })'],
  ['delayTransaction', 'delayTransaction(hash, { partials: 2 })'],
  ['subscribe', "subscribe('logs', { address }, listener)"],
  ['setBalance', 'setBalance(address, 10n ** 18n)'],
  ['deal', 'deal({ token, to, amount: 10n ** 18n })'],
  ['setAllowance', 'setAllowance({ token, owner, spender, amount: 10n ** 18n })'],
  ['impersonate', 'impersonate(address)'],
  ['unlockAccount', "unlockAccount(address, 'secret', { seconds: 60 })"],
])

/** The end of a message about a wrong call: how it is written right. */
export function rightCall(call: string): string {
  const right = RIGHT_CALLS.get(call)
  return right === undefined ? '' : `; for example: chain.${right}`
}
