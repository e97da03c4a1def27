// Values as text.

import { decimalText } from '../../view/numbers.ts'

export { countText, groupDigits, readable } from '../../view/numbers.ts'

/** 0x1234…abcd */
export function abbreviateHex(hex: string): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** Wei as ether, all digits. */
export const etherText = (wei: bigint): string => decimalText(wei, 18)

/** Wei as ether for a table: six decimals, fewer digits than the amount has after an ellipsis. */
export function shortEther(wei: bigint): string {
  const text = etherText(wei)
  const [whole = '', fraction = ''] = text.split('.')
  return fraction.length <= 6 ? text : `${whole}.${fraction.slice(0, 6)}…`
}

/** Wei per gas in gwei. */
export const gweiText = (wei: bigint): string => `${decimalText(wei, 9)} gwei`

const two = (value: number): string => `${value}`.padStart(2, '0')

/** A time of the virtual clock in UTC; milliseconds only where there are some. */
export function timeText(ms: number): string {
  const time = new Date(ms)
  const day = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()].map(two).join('-')
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':')
  const rest = time.getUTCMilliseconds()
  return `${day} ${clock}${rest === 0 ? '' : `.${`${rest}`.padStart(3, '0')}`}`
}

export function clockText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}

/** The reason of a failure, in one line. */
export function reasonText(error: unknown): string {
  const { shortMessage, message, code } = Object(error) as Readonly<Record<string, unknown>>
  const words = [shortMessage, message].find((each) => typeof each === 'string' && each !== '')
  if (words !== undefined) return `${words}`
  if (code !== undefined) return `error ${code}`
  return typeof error === 'string' ? error : 'an error without a message'
}
