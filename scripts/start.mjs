import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from './bootstrap/build.mjs'
import { findElectron } from './bootstrap/electron.mjs'
import { runHeadless } from './bootstrap/headless.mjs'
import { install } from './bootstrap/install.mjs'
import { main } from './bootstrap/main.mjs'
import { root } from './bootstrap/root.mjs'
import { run } from './bootstrap/run.mjs'
import { sandboxAdvice } from './bootstrap/sandbox.mjs'

/** Keeps the lines that are left out of the terminal. */
const electronLog = join(root, 'node_modules/.cache/electron.log')

/** Chromium complains about each service of the desktop that a computer lacks. */
const ABOUT_DBUS = /^\[\d+:.*:(ERROR|WARNING):dbus\//

/**
 * `npm start`: installs and builds if necessary, then opens the desktop app, or hosts without a
 * window.
 */
await main(async () => {
  await install()
  await build()

  const args = process.argv.slice(2)
  if (!hasDisplay()) return runWithoutWindow('There is no display', args)
  const { path, reason } = await findElectron()
  if (!path) return runWithoutWindow(reason, args)

  const advice = sandboxAdvice(path)
  if (advice === undefined) return openWindow(path, args)
  console.log(advice)
  return runWithoutWindow('AppArmor keeps the window from its sandbox', args)
})

function openWindow(electron, args) {
  console.log('3 of 3 · Opening the window …')
  mkdirSync(dirname(electronLog), { recursive: true })
  rmSync(electronLog, { force: true })

  const stdio = ['inherit', 'inherit', 'pipe']
  return run(electron, [...sandboxFlags(), root, ...args], { stdio }, ({ stderr }) =>
    createInterface({ input: stderr }).on('line', (line) => {
      if (ABOUT_DBUS.test(line)) appendFileSync(electronLog, `${line}\n`)
      else console.error(line)
    }),
  )
}

function runWithoutWindow(reason, args) {
  console.log(
    `3 of 3 · ${reason}, so Slipway runs without a window. Open the last address below in a ` +
      'browser.',
  )
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
