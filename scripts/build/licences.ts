import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

interface Manifest {
  name: string
  version: string
  license?: string
}

const HEAD = `The licences of what Slipway is made of. Slipway itself: MIT. Electron, Chromium and Node, which the desktop app
brings along: LICENSE.electron.txt and LICENSES.chromium.html in the folder of the program.`
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/** Collects the bundled packages, and writes their licences. */
export class Licences {
  readonly #folders = new Set<string>()

  /** One per bundle. */
  plugin(): Plugin {
    return {
      name: 'licences',
      generateBundle: (_options, bundle) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) this.#add(id)
      },
    }
  }

  /** Throws if a package has no licence, or if the lock file has it for development only: audits would miss it. */
  async write(path: string): Promise<void> {
    const unlisted = await onlyForDevelopment(this.#folders)
    if (unlisted.length > 0)
      throw new Error(`These packages ship, so package.json needs them as dependencies: ${unlisted.join(', ')}`)
    const parts = await Promise.all([...this.#folders].map(licenceIn))
    await writeFile(path, `${[HEAD, ...parts.sort()].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  }

  #add(moduleId: string): void {
    const found = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(moduleId)?.[1]
    if (found !== undefined) this.#folders.add(found)
  }
}

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>
}

async function onlyForDevelopment(folders: Iterable<string>): Promise<string[]> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock
  const paths = [...folders].map((folder) => relative(process.cwd(), folder).replaceAll('\\', '/'))
  return paths.filter((path) => packages[path]?.dev !== undefined || packages[path]?.devOptional !== undefined)
}

async function licenceIn(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  const names = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort()
  if (license === undefined && names.length === 0)
    throw new Error(`${name} comes without a licence: it cannot be shipped`)
  const texts = await Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')))
  return [
    `${name} ${version}${license === undefined ? '' : ` (${license})`}`,
    ...texts.map((text) => text.trim()),
  ].join('\n\n')
}
