import { build } from './bootstrap/build.mjs'
import { install } from './bootstrap/install.mjs'
import { main } from './bootstrap/main.mjs'

/**
 * `npm run build`: installs missing packages, then builds dist/; with `--if-changed` only after a
 * change.
 */
await main(async () => {
  await install()
  await build({ force: !process.argv.includes('--if-changed') })
  return 0
})
