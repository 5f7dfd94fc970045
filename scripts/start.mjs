import { build } from './bootstrap/build.mjs'
import { findElectron } from './bootstrap/electron.mjs'
import { runHeadless } from './bootstrap/headless.mjs'
import { install } from './bootstrap/install.mjs'
import { main } from './bootstrap/main.mjs'
import { root } from './bootstrap/root.mjs'
import { run } from './bootstrap/run.mjs'

/** `npm start`: installs and builds what is needed, then opens the desktop app, or hosts without a window. */
await main(async () => {
  await install()
  await build()
  const args = process.argv.slice(2)
  if (!hasDisplay()) return withoutWindow('There is no display', args)
  const { path, reason } = await findElectron()
  return path ? run(path, [...sandboxFlags(), root, ...args]) : withoutWindow(reason, args)
})

function withoutWindow(reason, args) {
  console.log(`${reason}, so Slipway runs without a window. Open the last address below in a browser.`)
  return runHeadless(args)
}

function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** On Linux, Chromium refuses to start as root with its sandbox on. */
function sandboxFlags() {
  return process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : []
}
