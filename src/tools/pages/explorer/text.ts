// Values as text.

import { decimalText, groupDigits } from '../../view/numbers.ts'

export { countText, functionText, groupDigits, readable } from '../../view/numbers.ts'

/** 0x1234…abcd */
export function abbreviateHex(hex: string): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** Wei as ether, all digits. */
export const etherText = (wei: bigint): string => decimalText(wei, 18)

/** Less than six decimals of ether show. */
const LEAST_SHOWN_WEI = 10n ** 12n

/** Wei as ether for a table, before a unit: six decimals, and an ellipsis if the amount has more; little as wei. */
export function shortEther(wei: bigint, unit = ''): string {
  if (wei > 0n && wei < LEAST_SHOWN_WEI) return `${groupDigits(wei)} wei`
  const text = etherText(wei)
  const [whole = '', fraction = ''] = text.split('.')
  return `${fraction.length <= 6 ? text : `${whole}.${fraction.slice(0, 6)}…`}${unit}`
}

/** Wei per gas in gwei. */
export const gweiText = (wei: bigint): string => `${decimalText(wei, 9)} gwei`

const two = (value: number): string => `${value}`.padStart(2, '0')

/** Year, month and day of a day since the epoch (Hinnant, chrono-compatible date algorithms, civil_from_days). */
function civilDate(day: number): string {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${year}-${two(month)}-${two(dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1)}`
}

/** A time of the virtual clock in UTC; milliseconds only where there are some. */
export function timeText(ms: number): string {
  const day = Math.floor(ms / 86_400_000)
  const inDay = ms - day * 86_400_000
  const [hours, minutes, seconds] = [inDay / 3_600_000, (inDay / 60_000) % 60, (inDay / 1000) % 60]
  const clock = [hours, minutes, seconds].map((each) => two(Math.floor(each))).join(':')
  const rest = inDay % 1000
  return `${civilDate(day)} ${clock}${rest === 0 ? '' : `.${`${rest}`.padStart(3, '0')}`}`
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
