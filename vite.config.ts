import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`)

/** Libraries that change less often than our pages: files of their own, which a browser keeps over our updates. */
const chunkGroups = [
  { name: 'react', test: packages('react|react-dom|scheduler|react-router|react-router-dom'), priority: 3 },
  // Charts are large and few pages show one, so they come with those pages.
  { name: 'mantine', test: packages('@mantine[\\\\/](?!charts)[a-z]+|@floating-ui'), priority: 2 },
]

/** The page: one build for the window and for every browser. Main, preload and server: scripts/build/. */
export default defineConfig({
  root: 'renderer',
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The Content-Security-Policy allows scripts and fonts from our own origin only, so no file becomes a data: URL.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
})
