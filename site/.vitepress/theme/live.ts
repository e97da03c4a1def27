// The place of the front page's scene. Its script has a chain, which other pages do not load.

import { useData, withBase } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue'

const Place = defineComponent(() => {
  const place = ref<HTMLElement>()
  let unmount: (() => void) | undefined
  let isGone = false
  onMounted(async () => {
    const { mountLive } = await import(/* @vite-ignore */ withBase('/playground/live.js'))
    if (!isGone && place.value !== undefined) unmount = mountLive(place.value)
  })
  onBeforeUnmount(() => {
    isGone = true
    unmount?.()
  })
  return () => h('div', { class: 'live-place', ref: place })
})

export const FrontPage = defineComponent(() => {
  const { page } = useData()
  return () => (page.value.relativePath === 'index.md' ? h(Place) : null)
})
