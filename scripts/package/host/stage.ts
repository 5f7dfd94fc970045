import {
  chmod,
  copyFile,
  cp,
  lutimes,
  mkdir,
  open,
  readdir,
  readFile,
  writeFile,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { root } from '../../test/tool'
import { fetchPackage } from '../../test/tools/npm-package'

/** A kind of computer that a host runs on. */
export interface Target {
  name: 'linux-x64' | 'linux-arm64' | 'win-x64'
  /** Its architecture as Debian and RPM call it; Windows has neither. */
  packages?: { debian: string; rpm: string }
}

export const targets: readonly Target[] = [
  { name: 'linux-x64', packages: { debian: 'amd64', rpm: 'x86_64' } },
  { name: 'linux-arm64', packages: { debian: 'arm64', rpm: 'aarch64' } },
  { name: 'win-x64' },
]

interface Manifest {
  version: string
  description: string
  license: string
}

/** package.json. */
export const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest

/** Its version as Debian and RPM sort it: a prerelease is before its release. */
export const packageVersion = manifest.version.replace('-', '~')

const COMMAND_FOR_WINDOWS = `@echo off
"%~dp0bin\\node.exe" "%~dp0dist\\server\\cli.js" %*
`

/** Builds images in a clone. */
const CONTAINER_FILE = /^(Containerfile|compose)/

/**
 * Lays out what a host needs in `slipway-host-VERSION-TARGET/`, and returns that folder. The
 * archive, the packages and the container image have the same:
 *
 * - `slipway`, on Windows `slipway.cmd`: the command
 * - `bin/node`: Node; on Linux `bin/hand-over` for systemd
 * - `dist/server`, `dist/renderer`: the built host and its pages; `package.json`: the version
 * - `deploy.md`, `deploy/`: the page about services, and the files that it installs
 * - `LICENSE`, `LICENSE.node`; the licences of all else are in `dist/renderer/licences.txt`
 */
export async function stageHost(target: Target, into: string): Promise<string> {
  const folder = join(into, `slipway-host-${manifest.version}-${target.name}`)
  const isWindows = target.name === 'win-x64'
  await mkdir(join(folder, 'bin'), { recursive: true })

  for (const part of ['server', 'renderer'])
    await cp(join(root, 'dist', part), join(folder, 'dist', part), { recursive: true })
  for (const name of ['package.json', 'LICENSE'])
    await copyFile(join(root, name), join(folder, name))

  await copyFile(join(root, 'docs/deploy.md'), join(folder, 'deploy.md'))
  await cp(join(root, 'docs/deploy'), join(folder, 'deploy'), {
    recursive: true,
    filter: (path) => !CONTAINER_FILE.test(basename(path)),
  })

  const node = await findNode(target)
  const program = isWindows ? 'node.exe' : 'node'
  await copyFile(join(node, 'bin', program), join(folder, 'bin', program))
  // The package for Windows lacks it.
  const licensed = await findNode({ name: 'linux-x64' })
  await copyFile(join(licensed, 'LICENSE'), join(folder, 'LICENSE.node'))

  if (isWindows) await writeFile(join(folder, 'slipway.cmd'), asLinesOfWindows(COMMAND_FOR_WINDOWS))
  else {
    await copyFile(join(import.meta.dirname, 'slipway.sh'), join(folder, 'slipway'))
    await copyFile(join(root, 'docs/deploy/hand-over.sh'), join(folder, 'bin/hand-over'))
  }
  return folder
}

const asLinesOfWindows = (text: string) => text.replaceAll('\n', '\r\n')

/** The package of npm with Node, checked against the hash in package-lock.json. */
async function findNode({ name }: Target): Promise<string> {
  const id = `node-${name}`
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>
  }

  const locked = packages[`node_modules/${id}`]
  if (locked === undefined) throw new Error(`package-lock.json has no ${id}`)
  const { version, integrity } = locked
  const found = await fetchPackage(
    { name: id, version, integrity: integrity.replace('sha512-', '') },
    () => Promise.resolve(),
  )

  if ('missing' in found) throw new Error(`Cannot fetch ${found.missing}`)
  return found.path
}

/** Programs start with `#!` or with the mark of a binary; both are executable, all else is not. */
const PROGRAMS = [Buffer.from('#!'), Buffer.from('\x7fELF', 'latin1')]

/** Gives all below a folder the same time, in seconds, and modes that no umask has changed. */
export async function setTimes(folder: string, seconds: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  // Folders last, the deepest first: what changes in them changes their times.
  const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))

  for (const { entry, path } of paths.toReversed()) {
    if (entry.isFile()) await chmod(path, (await isProgram(path)) ? 0o755 : 0o644)
    if (entry.isDirectory()) await chmod(path, 0o755)
    await lutimes(path, seconds, seconds)
  }

  await chmod(folder, 0o755)
  await lutimes(folder, seconds, seconds)
}

async function isProgram(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read({ buffer: Buffer.alloc(4) })
  return PROGRAMS.some((mark) => buffer.subarray(0, mark.length).equals(mark))
}
