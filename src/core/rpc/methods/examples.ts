// Values of the examples in the documentation.

/** The first two of the accounts that every chain begins with, and an account that it does not know. */
export const FIRST_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const SECOND_ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const STRANGER = '0x1111111111111111111111111111111111111111'

/** Hashes that nothing has. */
export const NO_HASH = `0x${'11'.repeat(32)}`
export const ZEROS = `0x${'00'.repeat(32)}`

export const WORD_42 = `0x${'2a'.padStart(64, '0')}`

export const TRANSFER = { from: FIRST_ACCOUNT, to: SECOND_ACCOUNT, value: '0x1' }

/** The first account's transaction with nonce 0: 1 wei to the second, at up to 3 gwei, of which 1 is the tip. */
export const RAW_TRANSFER =
  '0x02f86c827a6980843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d88980f37a89' +
  '35c23f1c351cc55f4ed8641bf9d83b653de340f6cd516725197ea02c92763070333bf460cf77eb3f613d5177b7a63b37d324c744a9' +
  '4a1946edc0db'

/** By the names of parameters: the values in examples of methods that give none of their own. */
export const USUAL_VALUES: Readonly<Record<string, unknown>> = {
  address: FIRST_ACCOUNT,
  block: 'latest',
  blockHash: ZEROS,
  blockNumber: 0,
  filter: { fromBlock: 'earliest', toBlock: 'latest' },
  fullTransactions: false,
  index: '0x0',
  isEnabled: true,
  message: '0xdeadbeef',
  pageSize: 25,
  passphrase: '',
  period: 12,
  permissions: { eth_accounts: {} },
  transaction: TRANSFER,
  transactionHash: NO_HASH,
}
