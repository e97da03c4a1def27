// Written by scripts/compile-contracts.js from test/contracts. Do not edit.

// pragma solidity ^0.8.28;
//
// contract Counter {
//     uint256 public count;
//
//     event Incremented(address indexed by, uint256 value);
//
//     function increment() external {
//         count += 1;
//         emit Incremented(msg.sender, count);
//     }
//
//     function add(uint256 amount) external {
//         count += amount;
//         emit Incremented(msg.sender, count);
//     }
//
//     /// At zero this is Panic(0x11).
//     function decrement() external {
//         count -= 1;
//     }
// }

export const Counter = {
  abi: /** @type {const} */ ([
    {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"by","type":"address"},{"indexed":false,"internalType":"uint256","name":"value","type":"uint256"}],"name":"Incremented","type":"event"},
    {"inputs":[{"internalType":"uint256","name":"amount","type":"uint256"}],"name":"add","outputs":[],"stateMutability":"nonpayable","type":"function"},
    {"inputs":[],"name":"count","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
    {"inputs":[],"name":"decrement","outputs":[],"stateMutability":"nonpayable","type":"function"},
    {"inputs":[],"name":"increment","outputs":[],"stateMutability":"nonpayable","type":"function"},
  ]),
  bytecode: /** @type {`0x${string}`} */ ('0x6080604052348015600e575f5ffd5b506102aa8061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061004a575f3560e01c806306661abd1461004e5780631003e2d21461006c5780632baeceb714610088578063d09de08a14610092575b5f5ffd5b61005661009c565b60405161006391906101a5565b60405180910390f35b610086600480360381019061008191906101ec565b6100a1565b005b61009061010a565b005b61009a610124565b005b5f5481565b805f5f8282546100b19190610244565b925050819055503373ffffffffffffffffffffffffffffffffffffffff167f38ac789ed44572701765277c4d0970f2db1c1a571ed39e84358095ae4eaa54205f546040516100ff91906101a5565b60405180910390a250565b60015f5f82825461011b9190610277565b92505081905550565b60015f5f8282546101359190610244565b925050819055503373ffffffffffffffffffffffffffffffffffffffff167f38ac789ed44572701765277c4d0970f2db1c1a571ed39e84358095ae4eaa54205f5460405161018391906101a5565b60405180910390a2565b5f819050919050565b61019f8161018d565b82525050565b5f6020820190506101b85f830184610196565b92915050565b5f5ffd5b6101cb8161018d565b81146101d5575f5ffd5b50565b5f813590506101e6816101c2565b92915050565b5f60208284031215610201576102006101be565b5b5f61020e848285016101d8565b91505092915050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f61024e8261018d565b91506102598361018d565b925082820190508082111561027157610270610217565b5b92915050565b5f6102818261018d565b915061028c8361018d565b92508282039050818111156102a4576102a3610217565b5b9291505056'),
}

// pragma solidity ^0.8.28;
//
// /// ERC-20 with the whole supply minted to the deployer.
// contract Token {
//     string public constant name = "Tick";
//     string public constant symbol = "TICK";
//     uint8 public constant decimals = 18;
//
//     uint256 public immutable totalSupply;
//     mapping(address => uint256) public balanceOf;
//     mapping(address => mapping(address => uint256)) public allowance;
//
//     event Transfer(address indexed from, address indexed to, uint256 value);
//     event Approval(address indexed owner, address indexed spender, uint256 value);
//
//     error InsufficientBalance(address account, uint256 have, uint256 want);
//     error InsufficientAllowance(address spender, uint256 have, uint256 want);
//
//     constructor(uint256 initialSupply) {
//         totalSupply = initialSupply;
//         balanceOf[msg.sender] = initialSupply;
//         emit Transfer(address(0), msg.sender, initialSupply);
//     }
//
//     function transfer(address to, uint256 value) external returns (bool) {
//         move(msg.sender, to, value);
//         return true;
//     }
//
//     function approve(address spender, uint256 value) external returns (bool) {
//         allowance[msg.sender][spender] = value;
//         emit Approval(msg.sender, spender, value);
//         return true;
//     }
//
//     function transferFrom(address from, address to, uint256 value) external returns (bool) {
//         uint256 allowed = allowance[from][msg.sender];
//         if (allowed < value) revert InsufficientAllowance(msg.sender, allowed, value);
//         if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
//         move(from, to, value);
//         return true;
//     }
//
//     function move(address from, address to, uint256 value) private {
//         uint256 have = balanceOf[from];
//         if (have < value) revert InsufficientBalance(from, have, value);
//         unchecked {
//             balanceOf[from] = have - value;
//             balanceOf[to] += value;
//         }
//         emit Transfer(from, to, value);
//     }
// }

export const Token = {
  abi: /** @type {const} */ ([
    {"inputs":[{"internalType":"uint256","name":"initialSupply","type":"uint256"}],"stateMutability":"nonpayable","type":"constructor"},
    {"inputs":[{"internalType":"address","name":"spender","type":"address"},{"internalType":"uint256","name":"have","type":"uint256"},{"internalType":"uint256","name":"want","type":"uint256"}],"name":"InsufficientAllowance","type":"error"},
    {"inputs":[{"internalType":"address","name":"account","type":"address"},{"internalType":"uint256","name":"have","type":"uint256"},{"internalType":"uint256","name":"want","type":"uint256"}],"name":"InsufficientBalance","type":"error"},
    {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"owner","type":"address"},{"indexed":true,"internalType":"address","name":"spender","type":"address"},{"indexed":false,"internalType":"uint256","name":"value","type":"uint256"}],"name":"Approval","type":"event"},
    {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"from","type":"address"},{"indexed":true,"internalType":"address","name":"to","type":"address"},{"indexed":false,"internalType":"uint256","name":"value","type":"uint256"}],"name":"Transfer","type":"event"},
    {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"}],"name":"allowance","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
    {"inputs":[{"internalType":"address","name":"spender","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"}],"name":"approve","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
    {"inputs":[{"internalType":"address","name":"","type":"address"}],"name":"balanceOf","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
    {"inputs":[],"name":"decimals","outputs":[{"internalType":"uint8","name":"","type":"uint8"}],"stateMutability":"view","type":"function"},
    {"inputs":[],"name":"name","outputs":[{"internalType":"string","name":"","type":"string"}],"stateMutability":"view","type":"function"},
    {"inputs":[],"name":"symbol","outputs":[{"internalType":"string","name":"","type":"string"}],"stateMutability":"view","type":"function"},
    {"inputs":[],"name":"totalSupply","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
    {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"}],"name":"transfer","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
    {"inputs":[{"internalType":"address","name":"from","type":"address"},{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"}],"name":"transferFrom","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
  ]),
  bytecode: /** @type {`0x${string}`} */ ('0x60a060405234801561000f575f5ffd5b50604051610bae380380610bae8339818101604052810190610031919061011c565b8060808181525050805f5f3373ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f20819055503373ffffffffffffffffffffffffffffffffffffffff165f73ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef836040516100d79190610156565b60405180910390a35061016f565b5f5ffd5b5f819050919050565b6100fb816100e9565b8114610105575f5ffd5b50565b5f81519050610116816100f2565b92915050565b5f60208284031215610131576101306100e5565b5b5f61013e84828501610108565b91505092915050565b610150816100e9565b82525050565b5f6020820190506101695f830184610147565b92915050565b608051610a276101875f395f6103250152610a275ff3fe608060405234801561000f575f5ffd5b5060043610610091575f3560e01c8063313ce56711610064578063313ce5671461013157806370a082311461014f57806395d89b411461017f578063a9059cbb1461019d578063dd62ed3e146101cd57610091565b806306fdde0314610095578063095ea7b3146100b357806318160ddd146100e357806323b872dd14610101575b5f5ffd5b61009d6101fd565b6040516100aa919061074c565b60405180910390f35b6100cd60048036038101906100c891906107fd565b610236565b6040516100da9190610855565b60405180910390f35b6100eb610323565b6040516100f8919061087d565b60405180910390f35b61011b60048036038101906101169190610896565b610347565b6040516101289190610855565b60405180910390f35b6101396104d4565b6040516101469190610901565b60405180910390f35b6101696004803603810190610164919061091a565b6104d9565b604051610176919061087d565b60405180910390f35b6101876104ed565b604051610194919061074c565b60405180910390f35b6101b760048036038101906101b291906107fd565b610526565b6040516101c49190610855565b60405180910390f35b6101e760048036038101906101e29190610945565b61053c565b6040516101f4919061087d565b60405180910390f35b6040518060400160405280600481526020017f5469636b0000000000000000000000000000000000000000000000000000000081525081565b5f8160015f3373ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f205f8573ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f20819055508273ffffffffffffffffffffffffffffffffffffffff163373ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92584604051610311919061087d565b60405180910390a36001905092915050565b7f000000000000000000000000000000000000000000000000000000000000000081565b5f5f60015f8673ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f205f3373ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f205490508281101561040d573381846040517f192b9e4e00000000000000000000000000000000000000000000000000000000815260040161040493929190610992565b60405180910390fd5b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81146104bd57828161044091906109f4565b60015f8773ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f205f3373ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f20819055505b6104c885858561055c565b60019150509392505050565b601281565b5f602052805f5260405f205f915090505481565b6040518060400160405280600481526020017f5449434b0000000000000000000000000000000000000000000000000000000081525081565b5f61053233848461055c565b6001905092915050565b6001602052815f5260405f20602052805f5260405f205f91509150505481565b5f5f5f8573ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f20549050818110156105e5578381836040517fdb42144d0000000000000000000000000000000000000000000000000000000081526004016105dc93929190610992565b60405180910390fd5b8181035f5f8673ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f2081905550815f5f8573ffffffffffffffffffffffffffffffffffffffff1673ffffffffffffffffffffffffffffffffffffffff1681526020019081526020015f205f82825401925050819055508273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef846040516106ce919061087d565b60405180910390a350505050565b5f81519050919050565b5f82825260208201905092915050565b8281835e5f83830152505050565b5f601f19601f8301169050919050565b5f61071e826106dc565b61072881856106e6565b93506107388185602086016106f6565b61074181610704565b840191505092915050565b5f6020820190508181035f8301526107648184610714565b905092915050565b5f5ffd5b5f73ffffffffffffffffffffffffffffffffffffffff82169050919050565b5f61079982610770565b9050919050565b6107a98161078f565b81146107b3575f5ffd5b50565b5f813590506107c4816107a0565b92915050565b5f819050919050565b6107dc816107ca565b81146107e6575f5ffd5b50565b5f813590506107f7816107d3565b92915050565b5f5f604083850312156108135761081261076c565b5b5f610820858286016107b6565b9250506020610831858286016107e9565b9150509250929050565b5f8115159050919050565b61084f8161083b565b82525050565b5f6020820190506108685f830184610846565b92915050565b610877816107ca565b82525050565b5f6020820190506108905f83018461086e565b92915050565b5f5f5f606084860312156108ad576108ac61076c565b5b5f6108ba868287016107b6565b93505060206108cb868287016107b6565b92505060406108dc868287016107e9565b9150509250925092565b5f60ff82169050919050565b6108fb816108e6565b82525050565b5f6020820190506109145f8301846108f2565b92915050565b5f6020828403121561092f5761092e61076c565b5b5f61093c848285016107b6565b91505092915050565b5f5f6040838503121561095b5761095a61076c565b5b5f610968858286016107b6565b9250506020610979858286016107b6565b9150509250929050565b61098c8161078f565b82525050565b5f6060820190506109a55f830186610983565b6109b2602083018561086e565b6109bf604083018461086e565b949350505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f6109fe826107ca565b9150610a09836107ca565b9250828203905081811115610a2157610a206109c7565b5b9291505056'),
}
