import type { IndexOf } from '../../../contract/files/package-index'
import { readFields, toLines, type ControlField } from '../index-text.ts'
import { noFacts, readIndex, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { architecturesOf } from './architectures.ts'
import { readFromTar } from './tar-start.ts'

const FIELD = /^([a-z][a-z0-9]*) = (.*)$/

/**
 * Reads `.PKGINFO` of an Arch package (makepkg writes it; alpm reads it in
 * lib/libalpm/be_package.c).
 */
export async function readPacmanPackage(file: PackageFile): Promise<Look> {
  const info = await readFromTar(file, (name) => (name === '.PKGINFO' ? 'take' : 'skip'))
  if (!info) throw new Unreadable('This is not an Arch Linux package.')

  const fields = readFields(toLines(info.toString('utf8'), Infinity), FIELD)
  const field = (key: string) => fields.find(({ name }) => name === key)?.value ?? null
  const facts = {
    ...noFacts('pacman'),
    name: field('pkgname'),
    app_id: field('pkgname'),
    version: field('pkgver'),
    publisher: field('packager')?.replace(/\s*<[^<>]*>\s*$/, '') ?? null,
    architectures: architecturesOf(field('arch') ?? ''),
  }

  return { facts, icon: null, index: readIndex(() => pacmanIndex(fields)) }
}

const SPELLINGS = { pkgname: /^[\w@.+-]{1,200}$/, pkgver: /^[\w.+~:^@=]+-[\w.]+$/, arch: /^\w+$/ }

/** Throws Unreadable without a name, version or architecture that pacman takes. */
function pacmanIndex(fields: readonly ControlField[]): IndexOf<'pacman'> {
  const exact = (key: keyof typeof SPELLINGS) => {
    const value = fields.find(({ name }) => name === key)?.value ?? ''
    if (SPELLINGS[key].test(value)) return value
    throw new Unreadable(`This package has no ${key} that pacman accepts.`)
  }

  return {
    kind: 'pacman',
    name: exact('pkgname'),
    version: exact('pkgver'),
    architecture: exact('arch'),
    info: fields.map(({ name, value }) => `${name} = ${value}\n`).join(''),
  }
}
