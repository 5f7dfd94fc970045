import { groupByArchitecture } from '../architectures'
import type { Package } from '../packages'
import type { PlacedFile } from '../repository'

type Listed = Pick<Package<'deb'>, 'index' | keyof PlacedFile>

/**
 * Architectures that always get a list: clients ask for their own, and packages for `all` must be
 * in it.
 */
const USUAL = ['amd64', 'arm64', 'armhf', 'i386']

/**
 * Prints `Packages` for each architecture (Debian repository format). Packages for `all` are in
 * each list. `listed`: newest first.
 */
export function printPackages(listed: readonly Listed[]): Map<string, string> {
  const stanzas = listed.map(({ index, path, size, sha256 }) => ({
    index,
    text: `${index.control}Filename: ${path}\nSize: ${size}\nSHA256: ${sha256}\n\n`,
  }))
  const lengthOf = ({ text }: { text: string }) => text.length
  const groups = groupByArchitecture(stanzas, { usual: USUAL, forAll: 'all', lengthOf })

  return new Map(groups.map(([name, group]) => [name, group.map(({ text }) => text).join('')]))
}

interface Suite {
  /** Must never change: apt asks people to accept a change. */
  origin: string
  suite: string
  date: Date
  architectures: readonly string[]
  /** Paths are relative to the suite. */
  lists: readonly PlacedFile[]
}

/** Prints `Release`. */
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
 * Prints the text that adds the repository to a computer. It is in deb822 style and contains the
 * key, so it needs apt 2.4.
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
