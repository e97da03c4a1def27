// Values as text.

import { decimalText } from '../../view/numbers.ts'

export * from '../../view/numbers.ts'

/** 0x1234…abcd */
export function abbreviateHex(hex: string): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** Wei per gas in gwei. */
export const gweiText = (wei: bigint): string => `${decimalText(wei, 9)} gwei`

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
