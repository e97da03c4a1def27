// Numbers, times and names of functions as text for pages, the same in all locales.

/** Such as `21,644`. */
export function groupDigits(value: number | bigint): string {
  return `${value}`.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** An amount with decimals, all digits: 1234500 with 3 is `1,234.5`. */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = `${amount < 0n ? -amount : amount}`.padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = groupDigits(BigInt(digits.slice(0, -decimals)))
  return `${amount < 0n ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** A share of a whole, such as `47.7 %`. */
export function percentText(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10} %`
}

/** Such as `1 call` and `2,000 calls`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`
}

/** A decoded value for readers: a long integer with its zeros counted, as `5e18`, or with its digits in groups. */
export function readable(text: string): string {
  const [, digits] = /^(\d{7,})(?: \[[\d.]+e\d+\])?$/.exec(text) ?? []
  if (digits === undefined) return text
  const mantissa = digits.replace(/0+$/, '')
  const zeros = digits.length - mantissa.length
  return zeros < 6 ? groupDigits(BigInt(digits)) : `${groupDigits(BigInt(mantissa))}e${zeros}`
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

export interface NamedCall {
  readonly kind: string
  readonly input: string
  readonly functionName?: string | undefined
}

/** Name of the called function, such as `withdraw`, or a selector. */
export function functionText({ kind, input, functionName }: NamedCall): string {
  if (kind === 'SELFDESTRUCT') return 'selfdestruct'
  if (kind === 'CREATE' || kind === 'CREATE2') return 'constructor'
  return functionName ?? (input === '0x' ? 'receive' : input.slice(0, 10))
}
