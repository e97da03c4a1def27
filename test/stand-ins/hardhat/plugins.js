/** As in Hardhat, where it is there for its types. @template Plugin @param {Plugin} plugin */
export function definePlugin(plugin) {
  return plugin
}
