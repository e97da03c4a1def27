// Scripts of pages: `import script from '../pages/timeline.tsx?page'` is the text of one minified ES module with all
// that it imports. scripts/page-scripts.js makes it, in the bundle and in tests.

declare module '*?page' {
  const script: string
  // biome-ignore lint/style/noDefaultExport: the plugin's form, as of Vite's `?raw`
  export default script
}
