import { build } from './bootstrap/build.mjs'
import { install } from './bootstrap/install.mjs'
import { main } from './bootstrap/main.mjs'

/** `npm run build`: what is missing is installed, then dist/ is built anew. */
await main(async () => {
  await install()
  await build({ force: true })
  return 0
})
