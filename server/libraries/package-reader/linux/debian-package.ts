import { noFacts, readIndex, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { architecturesOf } from './architectures.ts'
import { debianIndex, parseControl } from './debian-control.ts'
import { unpack } from './unpack.ts'

const AR = '!<arch>\n'
const HEADER_BYTES = 60
/** dpkg writes `debian-binary`, then the control member; other tools may put some in between. */
const MOST_MEMBERS = 8
const CONTROL = /^control\.tar((?:\.\w+)?)$/
const TAR_BLOCK = 512

const notOne = () => new Unreadable('This is not a Debian package.')

/** Reads the control file of a Debian package (deb(5), deb-control(5)). */
export async function readDebianPackage(file: PackageFile): Promise<Look> {
  const control = fileInTar(await controlMember(file), 'control').toString('utf8')
  const fields = parseControl(control)
  const field = (key: string) => fields.get(key)?.value ?? null

  const name = field('package')
  const facts = {
    ...noFacts('deb'),
    name,
    app_id: name,
    version: field('version'),
    publisher: field('maintainer')?.replace(/\s*<[^<>]*>\s*$/, '') ?? null,
    architectures: architecturesOf(field('architecture') ?? ''),
  }

  return { facts, icon: null, index: readIndex(() => debianIndex(control)) }
}

/**
 * The unpacked control.tar. A package is an ar archive: members follow each other, aligned to two
 * bytes.
 */
async function controlMember(file: PackageFile): Promise<Buffer> {
  if (file.size < AR.length || (await file.read(0, AR.length)).toString('latin1') !== AR)
    throw notOne()

  let at = AR.length
  for (let members = 0; members < MOST_MEMBERS && at < file.size; members++) {
    const header = (await file.read(at, HEADER_BYTES)).toString('latin1')
    const name = header.slice(0, 16).replace(/[/ ]+$/, '')
    const length = Number(header.slice(48, 58))

    if (!header.endsWith('`\n') || !Number.isSafeInteger(length))
      throw new Error('Not a header of ar')
    if (members === 0 && name !== 'debian-binary') throw notOne()

    const extension = CONTROL.exec(name)?.[1]
    if (extension !== undefined)
      return unpack(extension, file, { position: at + HEADER_BYTES, length })
    at += HEADER_BYTES + length + (length % 2)
  }
  throw notOne()
}

/** The bytes of a file at the top of a tar (tar(5)). */
function fileInTar(tar: Buffer, path: string): Buffer {
  for (let at = 0; at + TAR_BLOCK <= tar.length;) {
    const [name = ''] = tar.toString('latin1', at, at + 100).split('\0', 1)
    const length = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8)
    if (!(length >= 0)) break
    const start = at + TAR_BLOCK
    if (name.replace(/^\.\//, '') === path) return tar.subarray(start, start + length)
    at = start + Math.ceil(length / TAR_BLOCK) * TAR_BLOCK
  }
  throw new Error('No such file in the tar')
}
