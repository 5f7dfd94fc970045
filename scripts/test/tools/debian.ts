import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { capture } from '../tool'
import type { Found } from './found'

/** The first of these programs on the PATH. */
export function onPath(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

let installing: Promise<string | undefined> | undefined

/** What `find` finds, if need be after root on Debian has installed a browser and a virtual display. */
export async function foundOrInstalled(what: string, find: () => string | undefined): Promise<Found> {
  const present = find()
  if (present !== undefined) return { path: present }
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return { missing: `no ${what}` }
  installing ??= install()
  const failure = await installing
  const path = find()
  return path === undefined ? { missing: `no ${what}, and ${failure ?? 'apt-get brought none'}` } : { path }
}

async function install(): Promise<string | undefined> {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium-headless-shell', 'xvfb']]) {
    const { code } = await capture('apt-get', args, quiet)
    if (code !== 0) return `apt-get ${args.join(' ')} failed`
  }
  return undefined
}
