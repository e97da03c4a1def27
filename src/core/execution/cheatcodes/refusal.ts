// Why a cheatcode reverts.

export class Refusal {
  readonly kind: 'refused' | 'assertion' | 'assumption'
  readonly reason: string

  constructor(reason: string, kind: Refusal['kind'] = 'refused') {
    this.reason = reason
    this.kind = kind
  }
}
