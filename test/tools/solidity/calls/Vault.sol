// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    error Insufficient(address owner, uint256 available, uint256 required);
    string public name = "Tok";
    bool public paused; uint64 public fee; address public owner;
    mapping(address => uint256) public balances;
    mapping(address => mapping(address => uint256)) public allowance;
    struct Note { uint128 a; uint128 b; string text; }
    Note[] public notes;
    constructor(uint256 supply) { balances[msg.sender] = supply; owner = msg.sender; }
    function note(string calldata t) external { notes.push(Note(uint128(notes.length+1), 7, t)); fee = 9; name = "Longer than before"; allowance[msg.sender][owner] = 4; }
    function transfer(address to, uint256 amount) external returns (bool) {
        if (balances[msg.sender] < amount) revert Insufficient(msg.sender, balances[msg.sender], amount);
        balances[msg.sender] -= amount; balances[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}
contract Vault {
    Token public token;
    constructor() payable { token = new Token(10**24); }
    function pay(address to, uint256 amount) external { token.transfer(to, amount); }
    function tryPay(address to, uint256 amount) external returns (bool ok) { try token.transfer(to, amount) returns (bool r) { ok = r; } catch { ok = false; } token.note("hi"); }
    receive() external payable {}
}
