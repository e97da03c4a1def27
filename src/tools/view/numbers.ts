// Numbers, and names of functions, as text for pages, the same in all locales.

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

/** Such as `1 call` and `2 calls`. */
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

/** A call as far as it names its function. */
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
