// VitePress's theme with the system's fonts, and a live scene on the front page.

import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { FrontPage } from './live.ts'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(FrontPage) }),
} satisfies Theme
