// A node as the handler of a request sees it, with another way to take its turns.

import type { Node } from '../node/node.ts'

/** A view of a node with members of its own. */
export function nodeWith(node: Node, own: Partial<Pick<Node, 'config' | 'execute' | 'read'>>): Node {
  return new Proxy(node, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
