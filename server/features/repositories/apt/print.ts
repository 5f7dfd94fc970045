import type { Package } from '../packages'
import type { PlacedFile } from '../repository'

type Listed = Pick<Package<'deb'>, 'index' | keyof PlacedFile>

/**
 * Those that a computer may ask for though no package is made for them: packages for all need a
 * list there.
 */
const USUAL = ['amd64', 'arm64', 'armhf', 'i386']

/**
 * Writes `Packages` of each architecture (repository format of Debian); packages for all are in
 * each.
 */
export function printPackages(listed: readonly Listed[]): Map<string, string> {
  const stanzas = listed.map(({ index, path, size, sha256 }) => ({
    architecture: index.architecture,
    text: `${index.control}Filename: ${path}\nSize: ${size}\nSHA256: ${sha256}\n\n`,
  }))
  const own = stanzas.map(({ architecture }) => architecture).filter((name) => name !== 'all')
  const names = [...new Set([...USUAL, ...own])].sort()
  return new Map(
    names.map((name) => [
      name,
      stanzas
        .filter(({ architecture }) => architecture === name || architecture === 'all')
        .map(({ text }) => text)
        .join(''),
    ]),
  )
}

interface Suite {
  /** Never changes: apt asks people before it accepts another one. */
  origin: string
  suite: string
  date: Date
  architectures: readonly string[]
  /** Paths are relative to the suite. */
  lists: readonly PlacedFile[]
}

/** Writes `Release`. */
export function printRelease({ origin, suite, date, architectures, lists }: Suite): string {
  const lines = lists.map(({ path, size, sha256 }) => ` ${sha256} ${size} ${path}`)
  return `Origin: ${origin}
Label: ${origin}
Suite: ${suite}
Codename: ${suite}
Date: ${date.toUTCString().replace('GMT', 'UTC')}
Architectures: ${architectures.join(' ')}
Components: main
Acquire-By-Hash: yes
SHA256:
${lines.join('\n')}
`
}

/**
 * Writes the text that adds the repository to a computer (deb822-style, apt 2.4 or later because it
 * has the key).
 */
export function printSources(address: string, suite: string, armoredKey: string): string {
  const key = armoredKey.trimEnd().split('\n')
  return `Types: deb
URIs: ${address}
Suites: ${suite}
Components: main
Signed-By:
${key.map((line) => ` ${line === '' ? '.' : line}\n`).join('')}`
}
