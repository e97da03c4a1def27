// Settings of the site: the pages of the repository as they are, with links for a site, and search without a network.

import { fileURLToPath } from 'node:url'
import { defineConfig, type MarkdownRenderer } from 'vitepress'
import { anchorOf, EXCLUDED, fileOf, placeOf, REPOSITORY, relativeLink, sidebar, siteLink } from '../pages.ts'
import { servePlayground } from '../serve-playground.ts'

/** Replaces links to files of the repository. Links that are left go through VitePress's check. */
function withSiteLinks(markdown: MarkdownRenderer): void {
  for (const [rule, attribute, onSite] of [
    ['link_open', 'href', siteLink],
    ['image', 'src', relativeLink],
  ] as const) {
    const render = markdown.renderer.rules[rule]
    markdown.renderer.rules[rule] = (tokens, index, options, env, self) => {
      const token = tokens[index]
      const link = token?.attrGet(attribute)
      const path: string = env.realPath ?? env.path
      if (link) token?.attrSet(attribute, onSite(link, fileOf(path)))
      return render?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options)
    }
  }
}

/** A cell that heads nothing is no heading of a table, as a screen reader would say. */
function withoutEmptyHeadings(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('empty-headings', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [content, end] = tokens.slice(index + 1)
      if (token.type !== 'th_open' || content?.content !== '' || end === undefined) continue
      token.tag = 'td'
      end.tag = 'td'
    }
  })
}

const base = process.env['SITE_BASE'] ?? '/'
const description = 'A deterministic layer-2 chain that lives inside a test.'

export default defineConfig({
  title: 'tickchain',
  description,
  base,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }],
    ['meta', { property: 'og:title', content: 'tickchain' }],
    ['meta', { property: 'og:description', content: description }],
    // A preview needs a whole address, and the site may be anywhere.
    ['meta', { property: 'og:image', content: `${REPOSITORY}/raw/main/docs/images/social.png` }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  srcDir: '..',
  outDir: 'dist',
  srcExclude: EXCLUDED.map((folder) => `${folder}/**`),
  rewrites: placeOf,
  markdown: {
    anchor: { slugify: anchorOf },
    // Braces are text here, as on GitHub.
    attrs: { disable: true },
    config(markdown) {
      withSiteLinks(markdown)
      withoutEmptyHeadings(markdown)
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { publicDir: fileURLToPath(new URL('../public', import.meta.url)), plugins: [servePlayground()] },
  themeConfig: {
    logo: { src: '/logo.svg', alt: '' },
    nav: [
      { text: 'Documentation', link: '/docs/', activeMatch: '^/docs/' },
      { text: 'API', link: '/docs/api' },
      { text: 'Playground', link: '/playground' },
      // No social link: on the development server its icon comes from another host.
      { text: 'Repository', link: REPOSITORY },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    sidebar: sidebar(),
  },
})
