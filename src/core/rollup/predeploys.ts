// Contracts that development chains and layer 2s deploy at well-known addresses; deployed only on request, and loaded then.

import { inflateSync } from 'fflate/browser'
import { type Address, base64ToBytes, hexToBytes } from '../primitives/hex.ts'
import { type Account, EMPTY_STORAGE, makeCode } from '../state/world-state.ts'

/** Arachnid's deterministic deployment proxy: takes a salt and init code, and deploys with CREATE2 (EIP-1014). */
const CREATE2_DEPLOYER_CODE =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0360160008160208237803582823' +
  '4f58015156039578182fd5b8082525050506014600cf3'

/** Multicall3 by mds1 (MIT), the build that viem uses for deployless calls: raw deflate, in base64. */
const MULTICALL3_CODE =
  'tVd9kFNXFX83L5tkk5evlxcWKDMb+RgrM9hS2K3g7DbsFlpR6k1a3gUexXvI0hZdkBXolmGU95Us1Cov2V0caDuKo9AWqtbRUi1+MHSs' +
  'QNGpU3Sqf2CBcYCp0oU6dups0fvy8jab7Ec7jtkZkuX9zsnvnN/vnHuXqjSdpd7WGHA3COVa6F9nqLkVs9BrceAeJ2rumR+R++LArXY+' +
  'SsDPIWru+MWv/0kCHhM1d9K/61kJeJWouX/oR9dJwP+YAHdDVsppJPCsJ2ruKx0PPi2B59tEzenPy2ck8Jwmaq5wbsplCTzvVwIWBi5t' +
  'iQP3G1L+KAH6IVFziwY7rkiA/kzUXHvXoX0SeASi5jrOvLBWAs+dldjorae+KgH3HlFzTSuu9kiAZhE1N2fezzskQPcTNffxy5s2S4BM' +
  'olBOHVYWqklAXmJ/xoDCwF+TFZrOAJpetEAI2r+oRd66oQBqo161ldeQBehT7OmArAD/Lwe/vGhBZGAUftMI/pGiBVFBVsCXdPA7S0UL' +
  'YrdUBdhcLJfLfvAfcbCHGLSrFvqyC30F/Mcc6Ov1tN8doXGNJToiK+D/VRnv4fsZj3ioJrlnaiW552Pgf8sBf7I2uQ3tdKGfA/8VB7p6' +
  'TOhmF7rHJeUxGYHDjNSQE7xvzOAjbvBPICA60BN19XoujaQ+X7RAnCsrEJju4IdqZWKpeV8lNR+FxktlKD9jLBb8fBe6GBrfdqD3sO8p' +
  'VLPgv+iy4DdUut74roPvrTMLf2AEP1gxS+iQg392bJX4X7pk3hwJf4OROcvCTzvhf6v1D+U6LGzJCqWUU03TwhZWH77pvLR4ErwzCHhv' +
  'AfF9WWFRlqpnVZry0BTSEU1n1SR4VxKNppAC3g4InZMVLUtTyKLI4i0NvIuJhRVcwq2UU3QtloSGU4RyeV3LaDHw7iDgfQwSn2DJ7aQo' +
  'Y+G+PkNjD/cR8A6WH1qYpjysJu8zRQsSD8tKCVPOoGnUYmG1gAaxQTlEUzbkjGOjrTfHeE3R8iqlDHadZdpbbkwDx9oqzZcVyrHeGLyW' +
  '71szVMIYt6mU0yRoaCM0nSli2jyN3tWGptjVt+nZNsrRlInaoaGDdbGIFZuKyRpkZfVkMpnUshhjLUNTedTSBA3Hya7AyR3f4SZ4US5L' +
  'U9SbpU10dnbXiu3d2zbmoLt7weIUe0s9BBu7N3SNoO/OUpNyw4pOEWKUwbtWVrC+UAKfwFhP+n1alnoR+HgLpMOuOYYVjHGpiLHdFNpZ' +
  'xJQbyyG+dgK+tokc4uspO4TSUd7wrbW9URzxhv8goZwjv2+QgG+gRn7fYSbTq0x+3RXcd3xCwQ2VfSf4LlTp7XunTm/KFdYMFV29/fMm' +
  '0dt/R0Xvgmmb2b+MgH/pKDNrVlZjgqjgH/wIQvifsCD56SohNIpQEWPwPSbbouCSVVYFdfLp8vxyy5x3ldLOEu5MFzH4/1goFOxdY+F+' +
  '9lOOutdBdjrv2th9m2/hYjngbndFGEa9/oF2AoEJ9Q/0Ohsi0FW/IQJ1Lmj8C6GcWd4QgScJBA7UbohCwbZI4CUCgWM1FgmcLlqQVEZb' +
  'JHB+MoukkQWNDVUWaUxMZpFGPIlFGldWLMKYGLUrQc0wWEsTNP7+/7ESuthKqDgn8DW5epyXOtIvmVDZ4FQCwaaJlA1mHGWD7fXKBltr' +
  'lQ09NaJscDuB4LZxlA2WCASLNcoGvzfG8Ad/9mGGP3i+Stng3ydTNjR3EmVDt02obF8SQhb5by6UgdDejzD5oULN5LsCBlfZAvazdeKM' +
  'OYSOUVQo2Fc4tR9rA1gfxOX1gEv2YKcrI5zOMIczzSjHONIUYsvYmX8HBYJXg9CQrOhZZ+mndGRhEJopZyATQv+WlYqB1OHx/jFos4lE' +
  'EB4gINwPwm2yougtFh5lLKGHgLAFhIW29gYqYoOmdI+B2LNvEBCeAGGRrCjuolNpysjzYhKEIwSE50CYwyI5A7WMznuKgPBbEObKigLC' +
  'ubxeQCC0M8OUqramlnE3m65ny0VW6tKY29h/OAAtmax0JzxTg3B4pDsTpVEMZvfweqLqKKOZKGubFUP4HlkxGNNwD5sEE2WZqOVmN0+j' +
  'zQaa4iaFcL8O4VvZNz+t5SG8QFb6MYSf1/I0VUAQvps9eVGDcK+smMwj7lmdNhDrTQbCb1KugHQIT5MVzBqdMXWeRWchPKTrEN4tK0WM' +
  '1apgiAQNA8In2JnhJqzuCETm6iC8JSsQWajlQXib0bLlyyOILMuDMCwrKuWUPGtBRCemye/JahmI5PI6hD+QlQEMkc0GRET7Fpd6HO3H' +
  'mCK7P5Hl7OLyLdxnGxnXMNA0ntWVhcgPNBMizdUcK76LvEYgcmYc30WuEIhcHtt30QYCUe94vovOIhCdOZ7voksIRNOO76IrbN9FXvxf' +
  'fAfRIpNh9/gyRF/QIbpaViD6spaHaFe1DNGzeYhur5Ih1ujKEL2a1yGat2WI/tOA6P56GaKvjyND2l4IsdtZC/L2QmCapJgmsQ7NhOgh' +
  '+65RWVLuZomt0yD22brNEttR3iyxlZXNArHd5SnTJIj1O3/U2KlaGP77GsR2VW0hRsksMIFirxCInawIBLE/FPQ+BLF9rC3YPmdHKRa7' +
  'QSB23VEsdtMGVytWXqCU2jTjKUazYNcL8Xms3rzNmRWfZsXH73INOdBfmegxTyS9asDj23SIf4YFlbsUNzWIb7Rrj++trT1+UIP4zpHa' +
  'aUo3WeHxXxCIH3cLj58x9TyCeMme7NrpiF8lEL8yznSIfgKib+zpEGcREGeONx3iEgJierzpEL9AQFzn9Fr8kj0d8TdGTweIarn2GoeI' +
  'T5YdIva6DhGfK59SmgTiT2u7JL6qgXiwvkviRQLiBbdL4pDdJfGlqi7tuu/enT2TXcGWsCvYbHaz+lDwO1x43UGpt1BEVd5o5XlNhIRB' +
  'IKFDYpWsKKqBRknHgCnedIBHCSSOOEATlbDeUhyRUY8nIfE7AomzkHjQkbGEKdI9rbyRSELiKoHEFUislxWlajFVdoyuGXeyqyDKOhYG' +
  'aaqRh8R1++iR5hh5ExLDsqKbqGrKQWrXzQJIAmumVvWgZsuNurU+Ct3bN6Q2bdy6CbblHql0TEdZJ2WRTjdAWs5SgvSUDpIiK6MWYM2R' +
  'IP1aA8l0Z8npb7rSX+kiAelCfX8nv0mPcErOoU0up+TtOkjXJuaUfECD5NRaTrTCKdlLIPloHacPvtu1cctDW1fNFFOpE8cPHH3v0iHc' +
  '0985d8+ab/Y2fn7pwUUrjXd2zr5Mr/nOdm39cneukwsI3IL/AA=='

const CONTRACTS = {
  multicall3: {
    address: '0xca11bde05977b3631167028862be2a173976ca11',
    code: () => inflateSync(base64ToBytes(MULTICALL3_CODE) as Uint8Array),
  },
  create2: {
    address: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
    code: () => hexToBytes(CREATE2_DEPLOYER_CODE),
  },
} as const

/** A contract that the option `predeploys` puts into genesis: 'multicall3' or 'create2'. */
export type Predeploy = keyof typeof CONTRACTS

export function predeployedAccount(name: Predeploy): readonly [Address, Account] {
  const { address, code } = CONTRACTS[name]
  return [address, { nonce: 1n, balance: 0n, code: makeCode(code()), storage: EMPTY_STORAGE }]
}
