// Rendering of docs/cheatcodes.md from the table of cheatcodes. Pure; a test compares its output with the file.

import { PREFACE } from './render-docs.js'

/** What is different of cheatcodes that are there in part. */
const PARTS = {
  broadcast: 'noted, and not sent',
  startBroadcast: 'noted, and not sent',
  broadcastRawTransaction: 'a frame that fails undoes what it has stored; no blob fee',
  executeTransaction:
    'a frame that fails undoes what it has stored; a later call to the same slots costs what it costs in another transaction',
  attachBlob: 'noted; refused together with a delegation',
  breakpoint: 'does nothing: there is no debugger',
  dumpState: 'accounts of the whole state, without those of the runner',

  pauseTracing: 'does nothing: traces show everything',
  resumeTracing: 'does nothing: traces show everything',
  randomBytes: 'at most 16 MiB',
  setEvmVersion: 'the opcodes of calls that follow; other rules stay those of the chain',
  transact: 'of the active fork, on the present state: forge leaves out what the test has changed there',
}

/** Cheatcodes that forge does not have. */
const OWN = {
  'sealPartialBlock()':
    'ends a partial block: what has happened is pre-confirmed, and what follows may be dropped',
  'dropPartialBlock()':
    'takes back everything since the end of the last partial block of this block, also if it is called again',
  'sealBlock()':
    'seals a block; the next one is later by the time between blocks of the chain, with the milliseconds of `BaseTime` on Base. `L1Block`, PREVRANDAO and the contract of EIP-2935 stay as they are; `blockhash` knows it',
  'reorg(uint256 depth)':
    'takes back the last blocks that `sealBlock` has sealed, and goes on in the first of them; blocks that are sealed in their place have other hashes',
  'aliasOf(address l1Contract)':
    'the account on the layer 2 that messages of a contract of the layer 1 come from',
  'depositFromL1(address from, address to, uint256 value, bytes data)':
    'a message from the layer 1, a transaction of its own: mints the value for the sender, raises its nonce, calls with it as the origin and without a gas price, and returns the success and the return data. The mint stays if the call fails',
}

const EXAMPLE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Layer2Vm {
    function sealPartialBlock() external;
    function dropPartialBlock() external;
    function sealBlock() external;
    function reorg(uint256 depth) external;
    function aliasOf(address l1Contract) external returns (address);
    function depositFromL1(address from, address to, uint256 value, bytes calldata data)
        external
        returns (bool success, bytes memory returnData);
}

contract Inbox {
    address public immutable l1Sender;
    uint256 public last;

    constructor(address sender) {
        l1Sender = sender;
    }

    function receiveMessage(uint256 message) external payable {
        require(msg.sender == l1Sender, "not from the layer 1");
        last = message;
    }
}

contract InboxTest {
    Layer2Vm constant l2 = Layer2Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); // with forge-std: address(vm)
    address sender = l2.aliasOf(address(0x1234));
    Inbox inbox = new Inbox(sender);

    function send(uint256 message) internal {
        (bool success,) = l2.depositFromL1(sender, address(inbox), 0, abi.encodeCall(Inbox.receiveMessage, (message)));
        require(success, "failed");
    }

    function test_preconfirmedAndLost() public {
        send(1);
        l2.sealPartialBlock();
        send(2);
        l2.dropPartialBlock();
        require(inbox.last() == 1, "the second was dropped");
    }

    function test_reorganised() public {
        uint256 number = block.number;
        send(1);
        l2.sealBlock();
        send(2);
        l2.sealBlock();
        l2.reorg(1);
        require(inbox.last() == 1 && block.number == number + 1, "one block is taken back");
    }
}`

/** @param {string} signature */
function nameOf(signature) {
  return signature.slice(0, signature.indexOf('('))
}

/**
 * @param {readonly string[]} signatures
 * @param {ReadonlyMap<string, string>} refusals The reasons for which signatures are refused.
 */
export function renderCheatcodes(signatures, refusals) {
  const ours = Object.keys(OWN).map(nameOf)
  const forges = signatures.filter((signature) => !ours.includes(nameOf(signature)))
  /** @type {Map<string, string[]>} */
  const forms = new Map()
  for (const signature of forges) {
    const name = nameOf(signature)
    forms.set(name, [...(forms.get(name) ?? []), signature])
  }
  const unknown = [...Object.keys(PARTS).filter((name) => !forms.has(name))]
  if (unknown.length > 0) throw new Error(`there is no cheatcode ${unknown.join(', ')}`)
  const rows = [...forms]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, all]) => {
      const reason = refusals.get(/** @type {string} */ (all[0]))
      // `toString` is a property of every object.
      const part = Object.hasOwn(PARTS, name) ? PARTS[/** @type {keyof typeof PARTS} */ (name)] : undefined
      const here = reason !== undefined ? 'none' : part !== undefined ? 'partial' : 'full'
      return `| \`${name}\` | ${all.length} | ${here} | ${reason ?? part ?? ''} |`
    })
  const own = Object.entries(OWN).map(([signature, note]) => `| \`${signature}\` | ${note} |`)
  const refused = [...forms.values()].filter(([first]) => refusals.has(/** @type {string} */ (first))).length
  return `${PREFACE}

# Cheatcodes

Every cheatcode of \`Vm.sol\` of forge 1.7.1: ${forms.size} names in ${forges.length} forms, of which ${forms.size - refused} names are here. They work in Solidity tests, and in \`setUp\`, handlers and invariants of \`exploreContracts\`. Those that need files, variables, artifacts or forks get them from the options of the test runner; without them, they are refused.

A cheatcode that is refused reverts with \`vm.NAME:\` and the reason of the table.

| cheatcode | forms | here | |
|---|--:|---|---|
${rows.join('\n')}

## For a layer 2

Beside them, \`vm\` has cheatcodes of what only a layer 2 does. Declare them in an interface of your own at the same address. What is taken back is so for all accounts but the test, which remembers what it saw; a frame that fails takes back what it has sealed or dropped. Each of them ends the transaction that runs: transient storage is empty after it.

| cheatcode | what it does |
|---|---|
${own.join('\n')}

\`\`\`solidity
${EXAMPLE}
\`\`\`
`
}
