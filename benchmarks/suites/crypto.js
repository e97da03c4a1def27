// @ts-check
// Benchmarks of implementations of keccak-256 and secp256k1, for docs/decisions/0017-own-crypto.md.

import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createKeccak } from 'hash-wasm'
import { hashTypedData as hashByViem } from 'viem'
import { isSignedWith, keccak256, loadCrypto, recoverPublicKey } from '../../dist/core/primitives/crypto.js'
import { bytesToBigInt } from '../../dist/core/primitives/hex.js'
import { signDigest } from '../../dist/core/primitives/signer.js'
import { hashTypedData } from '../../dist/core/primitives/typed-data.js'
import { timeMany, toRow } from '../measure.js'

/** A package that is installed only as a dependency of others; `undefined` if it is not. @param {string} name */
function importIfThere(name) {
  return import(name).catch(() => undefined)
}

/** @type {import('../measure.js').Suite} */
export const hashes = {
  title: 'keccak-256',
  async run(report, progress) {
    await loadCrypto()
    const wasm = await createKeccak(256)
    const noble = await importIfThere('@noble/hashes/sha3.js')
    const sha3 = await importIfThere('js-sha3')
    /** @type {Record<string, ((message: Uint8Array) => unknown) | undefined>} */
    const candidates = {
      'src/core/primitives/crypto.ts': keccak256,
      'hash-wasm': (message) => wasm.init().update(message).digest('binary'),
      '@noble/hashes': noble?.keccak_256,
      'js-sha3': sha3 === undefined ? undefined : (message) => sha3.default.keccak256.arrayBuffer(message),
    }
    for (const bytes of [32, 532]) {
      const message = new Uint8Array(bytes).fill(7)
      for (const [name, hash] of Object.entries(candidates)) {
        if (hash === undefined) continue
        progress(`${name}, ${bytes} bytes`)
        const times = timeMany(() => hash(message), { perRound: 20_000 })
        const what = bytes === 32 ? '32 bytes, a slot' : '532 bytes, a full branch'
        report(toRow(`${name}, ${what}`, times, { compareWith: `src/core/primitives/crypto.ts, ${what}` }))
      }
    }
  },
}

/** @type {import('../measure.js').Suite} */
export const signatures = {
  title: 'secp256k1',
  async run(report, progress) {
    await loadCrypto()
    const libauth = await instantiateSecp256k1()
    const key = new Uint8Array(32).fill(9)
    const digest = new Uint8Array(32).fill(7)
    const signed = libauth.signMessageHashRecoverableCompact(key, digest)
    if (typeof signed === 'string') throw new Error(signed)
    const withRecovery = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
    const r = bytesToBigInt(signed.signature.slice(0, 32))
    const s = bytesToBigInt(signed.signature.slice(32))
    /** @type {Record<string, () => unknown>} */
    const candidates = {
      'src/core/primitives/signer.ts, recover': () => recoverPublicKey(digest, r, s, signed.recoveryId),
      'src/core/primitives/signer.ts, known key': () => isSignedWith(key, digest, r, s, signed.recoveryId),
      'libauth, recover': () =>
        libauth.recoverPublicKeyUncompressed(signed.signature, signed.recoveryId, digest),
      '@noble/curves, recover': () => secp256k1.recoverPublicKey(withRecovery, digest, { prehash: false }),
      'src/core/primitives/signer.ts, sign': () => signDigest(digest, key),
      'libauth, sign': () => libauth.signMessageHashRecoverableCompact(key, digest),
      '@noble/curves, sign': () => secp256k1.sign(digest, key, { prehash: false, format: 'recovered' }),
    }
    for (const [name, action] of Object.entries(candidates)) {
      progress(name)
      const what = name.split(', ')[1]
      const compareWith = what?.includes('sign')
        ? `src/core/primitives/signer.ts, ${what}`
        : 'src/core/primitives/signer.ts, recover'
      report(toRow(name, timeMany(action, { perRound: 200 }), { compareWith }))
    }
  },
}

/** The example of EIP-712. */
const MAIL = /** @type {const} */ ({
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1n,
    verifyingContract: '0xcccccccccccccccccccccccccccccccccccccccc',
  },
  message: {
    from: { name: 'Cow', wallet: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826' },
    to: { name: 'Bob', wallet: '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' },
    contents: 'Hello, Bob!',
  },
})

/** @type {import('../measure.js').Suite} */
export const typedData = {
  title: 'Typed data (EIP-712)',
  async run(report, progress) {
    await loadCrypto()
    const key = new Uint8Array(32).fill(9)
    // Its types have integers as bigints.
    const mail = { ...MAIL, domain: { ...MAIL.domain, chainId: 1n } }
    /** @type {Record<string, () => unknown>} */
    const candidates = {
      'src/core/primitives/typed-data.ts, digest': () => hashTypedData(MAIL),
      'viem, digest': () => hashByViem(mail),
      'src/core/primitives/typed-data.ts, signed': () => signDigest(hashTypedData(MAIL), key),
    }
    for (const [name, action] of Object.entries(candidates)) {
      progress(name)
      const compareWith = 'src/core/primitives/typed-data.ts, digest'
      report(toRow(name, timeMany(action, { perRound: 300 }), { compareWith }))
    }
  },
}
