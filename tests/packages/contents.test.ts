import { generateKeyPairSync } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../../scripts/package/host/stage'
import { findElectron } from '../../scripts/test/tools/electron'
import { packageApp } from '../support/desktop/app/packaged'
import { needTools, run } from '../support/system/debian'
import { tempDir } from '../support/system/temp-dir'
import { REPOSITORY } from './support/build-packages'

const { version } = manifest

/** What the guide, the API and the hints of forms call hosts of readers and their services. */
const EXAMPLES = [
  ...['builds', 'chat', 'ci', 'db', 'demo', 'dns', 'git', 'host-a', 'lantern', 'matrix', 'news'],
  ...['npm', 'python', 's3', 'vps'],
  // In a library that sends mail.
  ...['allowed', 'victim'],
].map((name) => `${name}.example`)

/** Programs of others, which only they can change. */
const OTHERS = /\/(node|node\.exe|[\w-]+\.wasm)$/
/** What a package says of itself. */
const DESCRIPTION = /\/(control|header|app-update\.yml)$/

/** What a package should get from its build, or not have at all. */
interface Found {
  /** Names that no one can have (RFC 2606), beyond those of examples. */
  names: string[]
  /** Where it says that Slipway comes from. */
  repositories: string[]
  /** Files that name the folder of the build, or an address of a build without a repository. */
  leftovers: string[]
}

/** Looks into all files of a folder. */
async function examine(folder: string): Promise<Found> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !OTHERS.test(path))
  expect(paths.length).toBeGreaterThan(1)

  const [names, repositories] = [new Set<string>(), new Set<string>()]
  const leftovers: string[] = []
  for (const path of paths) {
    const text = await readFile(path, 'latin1')
    for (const [name] of text.matchAll(/[a-z0-9][a-z0-9.-]*\.example(?![\w-]|\.\w)/gi))
      if (!EXAMPLES.some((known) => `.${name}`.endsWith(`.${known}`))) names.add(name)
    for (const [address] of text.matchAll(/https:\/\/github\.com\/[\w.-]+\/slipway(?![\w-])/g))
      repositories.add(address)
    if (text.includes(process.cwd()) || (DESCRIPTION.test(path) && text.includes('localhost')))
      leftovers.push(path)
  }
  return { names: [...names], repositories: [...repositories], leftovers }
}

const CLEAN: Found = { names: [], repositories: [REPOSITORY], leftovers: [] }

/** How each package is unpacked from `$1` into the folder `$2`, with what describes it. */
const unpack: Record<string, string> = {
  [`slipway-host-${version}-linux-x64.tar.gz`]: 'tar -xf "$1" -C "$2"',
  [`slipway-host-${version}-win-x64.zip`]: 'unzip -q "$1" -d "$2"',
  [`slipway-host_${version}_amd64.deb`]: 'dpkg-deb --raw-extract "$1" "$2/deb"',
  [`slipway-host-${version}-1.x86_64.rpm`]: `rpm -qp --qf '%{URL}\\n%{PACKAGER}\\n%{VENDOR}\\n' "$1" > "$2/header"
rpm -qp --scripts "$1" >> "$2/header"
cd "$2"
rpm2archive - < "$1" | tar -xz`,
}

test('no package of the host has a placeholder for an address', async () => {
  await needTools('rpmbuild', 'unzip')
  const packages = process.env['SLIPWAY_TEST_PACKAGES'] ?? ''
  expect((await readdir(packages)).sort()).toEqual(Object.keys(unpack).sort())

  for (const [name, lines] of Object.entries(unpack)) {
    const folder = await tempDir()
    await run('sh', ['-euc', lines, 'sh', join(packages, name), folder])
    // Archives have no place for the address of the repository.
    const repositories = /deb|rpm/.test(name) ? [REPOSITORY] : expect.any(Array)
    expect.soft({ name, ...(await examine(folder)) }).toEqual({ name, ...CLEAN, repositories })
  }
})

test('no package of the app has a placeholder for an address', async () => {
  const electron = await findElectron()
  if ('missing' in electron) throw new Error(electron.missing)
  Object.assign(process.env, { SLIPWAY_ELECTRON: electron.path, SLIPWAY_REPOSITORY: REPOSITORY })

  const folder = await tempDir()
  const { privateKey } = generateKeyPairSync('ed25519')
  const signingKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  await packageApp(folder, signingKey)

  const resources = join(folder, 'linux-unpacked/resources')
  expect((await readdir(resources)).map((name) => basename(name))).toEqual(
    expect.arrayContaining(['app.asar', 'app-update.yml']),
  )
  expect(await examine(resources)).toEqual(CLEAN)
  expect(await readFile(join(resources, 'app-update.yml'), 'utf8')).toContain(
    `url: ${REPOSITORY}/releases/latest/download`,
  )
})
