import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

interface Package {
  version?: string
  resolved?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

const root = join(import.meta.dirname, '../../..')

let packages: [path: string, locked: Package][]

beforeAll(async () => {
  const text = await readFile(join(root, 'package-lock.json'), 'utf8')
  packages = Object.entries((JSON.parse(text) as { packages: Record<string, Package> }).packages)
})

test('names no registry, and pins the bytes of every package', () => {
  const installed = packages.filter(([path]) => path !== '')

  expect(installed.length).toBeGreaterThan(100)
  expect(
    installed.filter(
      ([, { resolved, integrity }]) => resolved !== undefined || integrity === undefined,
    ),
  ).toEqual([])
})

test('holds the binaries of every platform, so that npm ci works on all', () => {
  const wanted = packages.flatMap(([, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies),
  )
  const missing = wanted.filter(
    (name) => !packages.some(([path]) => path.endsWith(`node_modules/${name}`)),
  )

  expect(missing).toEqual([])
})

test('names everything that is installed', async () => {
  const named = new Set(packages.map(([path]) => path))
  const installed = await packagesIn('node_modules')

  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter((path) => !named.has(path))).toEqual([])
})

/** Paths of the packages in a folder and below, as the lock names them. */
async function packagesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder)).catch(() => [])
  const scoped = await Promise.all(
    names
      .filter((name) => name.startsWith('@'))
      .map(async (scope) =>
        (await readdir(join(root, folder, scope))).map((name) => `${scope}/${name}`),
      ),
  )
  const paths = [...names.filter((name) => /^[^.@]/.test(name)), ...scoped.flat()].map(
    (name) => `${folder}/${name}`,
  )
  const below = await Promise.all(paths.map((path) => packagesIn(`${path}/node_modules`)))
  return [...paths, ...below.flat()]
}
