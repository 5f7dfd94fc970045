import { build } from './bootstrap/build.mjs'
import { runHeadless } from './bootstrap/headless.mjs'
import { install } from './bootstrap/install.mjs'
import { main } from './bootstrap/main.mjs'

/** `npm run serve -- --port N --host H --data DIR --public-url URL`: the headless host. */
await main(async () => {
  await install()
  await build()
  return runHeadless(process.argv.slice(2))
})
