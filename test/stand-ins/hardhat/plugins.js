/** As in Hardhat, which has it for its types. @template Plugin @param {Plugin} plugin */
export function definePlugin(plugin) {
  return plugin
}
