import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { capture } from '../tool'
import { findChromium } from './chromium'
import { installedVersions } from './debian'
import { findElectron } from './electron'
import type { Found } from './found'
import { unpackedFolders } from './unpacked'

const PAGES = new Set(['ui', 'desktop', 'engines'])
/** Suites that run programs of the system. */
const PROGRAMS = new Set([
  'programs',
  'faults',
  'security',
  'bucket',
  'engines',
  'windows',
  'three-hosts',
  'packages',
])

/**
 * One line for each kind of tool that these suites use. Results depend on versions, above all on
 * the browser's.
 */
export async function describeTools(suites: readonly string[]): Promise<string[]> {
  const hasPages = suites.some((name) => PAGES.has(name))
  const hasPrograms = suites.some((name) => PROGRAMS.has(name))

  const lines = [
    ['node', process.versions.node],
    ['chromium', hasPages ? await describe(findChromium(), ['--version']) : ''],
    [
      'electron',
      suites.includes('desktop') ? await describe(findElectron(), ['-p', ELECTRON]) : '',
    ],
    ['debian', hasPrograms ? await installedVersions() : ''],
    ['unpacked', hasPrograms ? unpackedVersions() : ''],
  ]

  return lines
    .filter(([, text]) => text !== '')
    .map(([name = '', text = '']) => `${name.padEnd(12)}${text}`)
}

/** Without spaces and quotes, which a shell would read. */
const ELECTRON = '[process.versions.electron,process.versions.chrome].join()'

/** The version that a program prints, and its path. */
async function describe(found: Promise<Found>, args: string[]): Promise<string> {
  const tool = await found
  if ('missing' in tool) return `missing: ${tool.missing}`
  const { output } = await capture(tool.path, args, { ELECTRON_RUN_AS_NODE: '1' })
  const version =
    /\d+\.\d+\.\d+\S*/.exec(output)?.[0].replace(',', ' with Chromium ') ?? 'of unknown version'
  return `${version} (${tool.path})`
}

function unpackedVersions(): string {
  return unpackedFolders()
    .map(([name, folder]) => `${name} ${versionIn(join(folder, 'usr/share/doc', name))}`)
    .join(', ')
}

/**
 * Reads the version in the first line of Debian's changelog, such as `caddy (2.6.2-5) bookworm;
 * urgency=medium`.
 */
function versionIn(folder: string): string {
  const changelog = existsSync(folder)
    ? readdirSync(folder).find((name) => name.startsWith('changelog.Debian'))
    : undefined
  if (changelog === undefined) return 'of unknown version'
  return (
    /\((.*?)\)/.exec(gunzipSync(readFileSync(join(folder, changelog))).toString())?.[1] ??
    'of unknown version'
  )
}
