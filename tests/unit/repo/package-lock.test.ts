import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

interface Package {
  version?: string
  resolved?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

let packages: [path: string, locked: Package][]

beforeAll(async () => {
  const text = await readFile(join(import.meta.dirname, '../../../package-lock.json'), 'utf8')
  packages = Object.entries((JSON.parse(text) as { packages: Record<string, Package> }).packages)
})

test('names no registry, and pins the bytes of every package', () => {
  const installed = packages.filter(([path]) => path !== '')

  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter(([, { resolved, integrity }]) => resolved !== undefined || integrity === undefined)).toEqual(
    [],
  )
})

test('holds the binaries of every platform, so that npm ci works on all', () => {
  const wanted = packages.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
  const missing = wanted.filter((name) => !packages.some(([path]) => path.endsWith(`node_modules/${name}`)))

  expect(missing).toEqual([])
})
