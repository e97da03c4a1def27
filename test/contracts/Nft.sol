// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A non-fungible token, as far as bridges use one.
contract Nft {
    mapping(uint256 id => address) public ownerOf;
    mapping(uint256 id => address) public getApproved;

    function mint(uint256 id) external {
        require(ownerOf[id] == address(0), "minted");
        ownerOf[id] = msg.sender;
    }

    function approve(address spender, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not the owner");
        getApproved[id] = spender;
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf[id] == from, "not the owner");
        require(msg.sender == from || msg.sender == getApproved[id], "not allowed");
        delete getApproved[id];
        ownerOf[id] = to;
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        transferFrom(from, to, id);
    }

    /// EIP-165; ERC-721.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }
}
