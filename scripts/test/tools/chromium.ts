import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { capture, tool } from '../tool'
import type { Found } from './found'
import { findPinnedChromium } from './pinned-chromium'
import { unpackInto } from './unpacked'

const PACKAGE = 'chromium-headless-shell'

/**
 * SLIPWAY_CHROMIUM, else the pinned browser, else the headless shell of Playwright, which it
 * installs.
 */
export async function findChromium(): Promise<Found> {
  const chosen = process.env['SLIPWAY_CHROMIUM']
  if (chosen)
    return existsSync(chosen)
      ? { path: chosen }
      : { missing: `a browser at SLIPWAY_CHROMIUM (${chosen})` }

  return (await findPinnedChromium()) ?? installShell()
}

/** Playwright names its folder, but no program in it. */
async function installShell(): Promise<Found> {
  const args = ['install', '--only-shell', 'chromium']
  const { code, output } = await tool('playwright', args)
  if (code !== 0) return { missing: `Chromium, which Playwright could not install: ${output}` }

  const plan = await tool('playwright', [...args, '--dry-run'])
  const folder = /Install location:\s+(.*headless_shell.*)/.exec(plan.output)?.[1]?.trim() ?? ''
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const program = files.find((file) => /(chrome-headless-shell|headless_shell)(\.exe)?$/.test(file))
  return program === undefined
    ? { missing: `a program in ${folder}` }
    : { path: join(folder, program) }
}

/**
 * Unpacks the oldest or newest Chromium of Debian's mirrors into our cache. Throws if there is
 * none.
 */
export async function unpackChromium(which: 'oldest' | 'newest'): Promise<string> {
  const { output } = await capture('apt-cache', ['madison', PACKAGE])
  const versions = [...output.matchAll(/\| *(\S+) *\|/g)].map(([, version = '']) => version)
  // Newest first.
  const version = which === 'newest' ? versions[0] : versions.at(-1)
  if (version === undefined) throw new Error(`apt-cache lists no ${PACKAGE}: run apt-get update`)

  const names = [PACKAGE, 'chromium-common'].map((name) => `${name}=${version}`)
  const { file, env } = await unpackInto(`${PACKAGE}-${version}`, names)

  const program = file('usr/lib/chromium/chromium-headless-shell')
  const launcher = `${program}.sh`
  await writeFile(
    launcher,
    `#!/bin/sh\nLD_LIBRARY_PATH='${env.LD_LIBRARY_PATH}' exec '${program}' "$@"\n`,
    {
      mode: 0o755,
    },
  )
  return launcher
}
