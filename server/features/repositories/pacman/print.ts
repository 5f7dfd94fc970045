import type { Package } from '../packages'
import type { PlacedFile } from '../repository'

type Listed = Pick<Package<'pacman'>, 'index' | 'file' | keyof PlacedFile>

/**
 * The fields of `desc` (repo-add) and the fields of `.PKGINFO` that they copy. Clients read only
 * one line of fields that are not lists.
 */
const FIELDS: readonly { name: string; from: string; isList?: true }[] = [
  { name: 'BASE', from: 'pkgbase' },
  { name: 'DESC', from: 'pkgdesc' },
  { name: 'GROUPS', from: 'group', isList: true },
  { name: 'ISIZE', from: 'size' },
  { name: 'URL', from: 'url' },
  { name: 'LICENSE', from: 'license', isList: true },
  { name: 'BUILDDATE', from: 'builddate' },
  { name: 'PACKAGER', from: 'packager' },
  { name: 'REPLACES', from: 'replaces', isList: true },
  { name: 'CONFLICTS', from: 'conflict', isList: true },
  { name: 'PROVIDES', from: 'provides', isList: true },
  { name: 'DEPENDS', from: 'depend', isList: true },
  { name: 'OPTDEPENDS', from: 'optdepend', isList: true },
]

/** Returns the filename of a package, by which pacman finds it in its cache. */
export function toFilename(
  { name, version, architecture }: Listed['index'],
  filename: string,
): string {
  const [extension = '.pkg.tar'] = /\.pkg\.tar(?:\.[a-z0-9]+)?$/i.exec(filename) ?? []
  return `${name}-${version}-${architecture}${extension}`
}

/**
 * Prints `desc` of a package. An empty line ends each field, and no value looks like a field name.
 */
export function printDesc({ index, file, size, sha256 }: Listed): string {
  const values = new Map<string, string[]>()
  for (const line of index.info.split('\n')) {
    const [, name = '', value = ''] = /^(\w+) = (.*)$/.exec(line) ?? []
    if (value.trim() === '' || /^%\w*%$/.test(value.trim())) continue
    const before = values.get(name)
    if (before) before.push(value)
    else values.set(name, [value])
  }

  const own = {
    FILENAME: toFilename(index, file.filename),
    NAME: index.name,
    VERSION: index.version,
    ARCH: index.architecture,
    CSIZE: size,
    SHA256SUM: sha256,
  }

  const repeated = FIELDS.flatMap(({ name, from, isList }): [string, string][] => {
    const all = values.get(from) ?? []
    return all.length === 0 ? [] : [[name, all.slice(0, isList ? undefined : 1).join('\n')]]
  })

  return [...Object.entries(own), ...repeated]
    .map(([name, value]) => `%${name}%\n${value}\n\n`)
    .join('')
}

const BLOCK = 512

/**
 * Packs the database, uncompressed: a tar (POSIX ustar) with `{name}-{version}/desc` of each
 * package. Equal texts give equal bytes.
 */
export function packDatabase(entries: readonly [folder: string, desc: string][]): Buffer {
  const blocks = entries.flatMap(([folder, desc]) => {
    const content = Buffer.from(desc)
    return [
      writeHeader(folder, content.length),
      content,
      Buffer.alloc(-content.length & (BLOCK - 1)),
    ]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

function writeHeader(folder: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write('desc')
  header.write('0000644\0' + '0000000\0'.repeat(2), 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0${' '.repeat(8)}0`, 124)
  header.write('ustar\x0000', 257)
  header.write(folder, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/**
 * Prints the lines for `pacman.conf`. The database is signed and has the digests of the packages.
 */
export const printConfig = (name: string, address: string): string => `[${name}]
SigLevel = DatabaseRequired PackageNever
Server = ${address}/$arch
`
