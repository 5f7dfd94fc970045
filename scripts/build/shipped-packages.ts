import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

interface Manifest {
  name: string
  version: string
  license?: string
}

const HEAD = `The licences of what Slipway is made of. Slipway itself: MIT. Electron, Chromium and
Node, which the desktop app brings along: LICENSE.electron.txt and LICENSES.chromium.html in the
folder of the program.`
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
    await writeFile(path, `${[HEAD, ...parts.sort()].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  }

  /**
   * Writes a software bill of materials (CycloneDX 1.6, ECMA-424). Throws if the lock file has a
   * package for development only: audits would miss it.
   */
  async writeBill(path: string): Promise<void> {
    const { version = '', packages } = JSON.parse(
      await readFile('package-lock.json', 'utf8'),
    ) as Lock

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
    const components = shipped.map((name) => componentOf(name, packages[name]))

    const bill = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
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

function componentOf(path: string, { version = '', license, integrity = '' }: Locked = {}) {
  const name = path.split('node_modules/').at(-1) ?? ''

  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    name,
    version,
    purl,
    'bom-ref': `${purl}#${path}`,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    hashes: [
      {
        alg: 'SHA-512',
        content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
      },
    ],
  }
}

async function licenceIn(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Manifest

  const names = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort()
  if (license === undefined && names.length === 0)
    throw new Error(`${name} comes without a licence: it cannot be shipped`)

  const texts = await Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')))
  return [
    `${name} ${version}${license === undefined ? '' : ` (${license})`}`,
    ...texts.map((text) => text.trim()),
  ].join('\n\n')
}
