// Preload that gives a process another clock, which jumps about, and another random generator.

const RealDate = Date
let calls = 0

function moved(): number {
  calls++
  const jump = (calls % 7) * (calls % 2 === 0 ? -1 : 1)
  return RealDate.UTC(2038, 6, 19, 3, 14, 7) + jump * 86_400_000
}

class OtherDate extends RealDate {
  constructor(...args: [] | [number]) {
    super(...((args.length === 0 ? [moved()] : args) as [number]))
  }

  static override now(): number {
    return moved()
  }
}

globalThis.Date = OtherDate as DateConstructor
performance.now = moved
Math.random = () => 0.75
Object.defineProperties(crypto, {
  getRandomValues: { value: (bytes: Uint8Array) => bytes.fill(7) },
  randomUUID: { value: () => '00000000-0000-4000-8000-000000000007' },
})
