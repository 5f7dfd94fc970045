import { build } from './bootstrap/build.mjs'
import { install } from './bootstrap/install.mjs'
import { main } from './bootstrap/main.mjs'

/** `npm run build`: what is missing is installed, then dist/ is built anew, or `--if-changed` only. */
await main(async () => {
  await install()
  await build({ force: !process.argv.includes('--if-changed') })
  return 0
})
