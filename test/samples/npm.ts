/** The path of the npm that has started this. */
export function npm(): string {
  const path = process.env['npm_execpath']
  if (path === undefined) throw new Error('packages are installed by npm: start this with npm run or npx')
  return path
}
