import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { Facts } from '../../../contract/files/facts'
import { parseSigner } from '../certificate/signing-certificate.ts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { findElements, readXml } from '../../../core/xml.ts'

const unzip = promisify(inflate)

/** Limits the table of contents and each member, packed and unpacked, in bytes. */
const MOST_BYTES = 4 * 1024 * 1024
const XAR = 'xar!'
const XAR_HEADER_BYTES = 28
/** The format calls zlib gzip. */
const ZLIB = 'application/x-gzip'
const PLAIN = 'application/octet-stream'
const DMG_TRAILER = 'koly'
const DMG_TRAILER_BYTES = 512
/** Position of the offset and length of the signature in the trailer. */
const DMG_SIGNATURE_AT = 296
/** CSMAGIC_EMBEDDED_SIGNATURE, with its length and count. */
const BLOB_LIST = 0xfade0cc0
const BLOB_LIST_BYTES = 12
const MOST_BLOBS = 32
const TICKET_BLOB = 0x10002
/** After a stapled archive: `t8lr`, version, type 2, length, unused (little-endian). */
const XAR_TRAILER = 't8lr'
const XAR_TRAILER_BYTES = 16
const XAR_TICKET = 2
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'x64'],
  ['i386', 'x86'],
  ['arm64', 'arm64'],
])

/** Recognizes a disk image by its trailer. Does not read its file system. */
export async function readDiskImage(file: PackageFile): Promise<Look> {
  const start = file.size - DMG_TRAILER_BYTES
  const trailer = start < 0 ? undefined : await file.read(start, DMG_TRAILER_BYTES)
  if (trailer?.toString('latin1', 0, 4) !== DMG_TRAILER)
    throw new Unreadable('This is not a disk image for macOS.')

  const is_stapled = (await optional(() => hasTicket(file, trailer))) ?? false
  return { facts: { ...noFacts('dmg'), is_stapled }, icon: null }
}

/**
 * Whether the signature of a disk image has a ticket: one of the blobs that it lists by type and
 * offset (xnu, osfmk/kern/cs_blobs.h).
 */
async function hasTicket(file: PackageFile, trailer: Buffer): Promise<boolean> {
  const position = Number(trailer.readBigUInt64BE(DMG_SIGNATURE_AT))
  const length = Number(trailer.readBigUInt64BE(DMG_SIGNATURE_AT + 8))
  if (length < BLOB_LIST_BYTES) return false

  const head = await file.read(position, BLOB_LIST_BYTES)
  if (head.readUInt32BE(0) !== BLOB_LIST) return false

  const count = Math.min(head.readUInt32BE(8), MOST_BLOBS)
  const list = await file.read(position + BLOB_LIST_BYTES, 8 * count)
  return Array.from({ length: count }, (_, at) => list.readUInt32BE(8 * at)).includes(TICKET_BLOB)
}

/**
 * Reads an installer package: a xar archive (its wiki, "xarformat") with a `PackageInfo`, or with a
 * `Distribution` and components that have one each ("Distribution Definition XML Schema Reference",
 * Apple).
 */
export async function readInstallerPackage(file: PackageFile): Promise<Look> {
  const header = file.size < XAR_HEADER_BYTES ? undefined : await file.read(0, XAR_HEADER_BYTES)
  if (header?.toString('latin1', 0, 4) !== XAR)
    throw new Unreadable('This is not an installer package for macOS.')

  const start = header.readUInt16BE(4)
  const packed = Number(header.readBigUInt64BE(8))
  const toc = await inflateText(await file.read(start, requireSmall(packed)))
  const heap = start + packed

  const distribution = await readText(file, heap, findStored(toc, 'Distribution'))
  const [info] = findElements(
    await readText(file, heap, findStored(toc, 'PackageInfo')),
    'pkg-info',
  )
  if (distribution === '' && !info)
    throw new Unreadable('This is not an installer package for macOS.')

  const [product] = findElements(distribution, 'product')
  const names =
    findElements(distribution, 'options')[0]?.attribute('hostArchitectures')?.split(',') ?? []
  const system = findElements(distribution, 'os-version')[0]?.attribute('min')
  const isSigned = ['signature', 'x-signature'].some((name) => findElements(toc, name).length > 0)

  const facts = {
    ...noFacts('pkg'),
    name: findElements(distribution, 'title')[0]?.text ?? null,
    app_id: product?.attribute('id') ?? info?.attribute('identifier') ?? null,
    version: product?.attribute('version') ?? info?.attribute('version') ?? null,
    architectures: names.map((name) => ARCHITECTURES.get(name.trim()) ?? name.trim()),
    min_os: system ? `macOS ${system}` : null,
    is_signed: isSigned,
    signer: isSigned ? await optional(() => signerIn(toc)) : null,
    is_stapled: await endsWithTicket(file),
  }
  return { facts, icon: null }
}

async function endsWithTicket(file: PackageFile): Promise<boolean> {
  const trailer = await file.read(file.size - XAR_TRAILER_BYTES, XAR_TRAILER_BYTES)
  return trailer.toString('latin1', 0, 4) === XAR_TRAILER && trailer.readUInt16LE(6) === XAR_TICKET
}

/** Where a file of the archive is, from the start of the heap, in bytes. */
interface Stored {
  name: string
  offset: number
  length: number
  encoding: string
}

/** The first file of this name in the table of contents, in any folder. */
function findStored(toc: string, name: string): Stored | undefined {
  const open: Stored[] = []
  let match: Stored | undefined

  readXml(toc, {
    open: (element) => {
      if (element.name === 'file')
        open.push({ name: '', offset: NaN, length: NaN, encoding: PLAIN })
    },
    close: ({ name: tag, parent, text, attribute }) => {
      const file = open.at(-1)
      if (!file) return

      if (tag === 'file') open.pop()
      if (tag === 'file' && file.name === name) match ??= file
      if (tag === 'name' && parent?.name === 'file') file.name = text
      if (parent?.name !== 'data') return
      if (tag === 'offset' || tag === 'length') file[tag] = Number.parseInt(text, 10)
      if (tag === 'encoding') file.encoding = attribute('style') ?? PLAIN
    },
  })
  return match
}

/** Empty if there is no such file. */
async function readText(
  file: PackageFile,
  heap: number,
  stored: Stored | undefined,
): Promise<string> {
  if (stored === undefined) return ''
  const { offset, length, encoding } = stored
  const bytes = await file.read(heap + offset, requireSmall(length))

  if (encoding === PLAIN) return bytes.toString('utf8')
  if (encoding === ZLIB) return inflateText(bytes)
  throw new Unreadable('Slipway cannot read the compression of this package.')
}

async function inflateText(bytes: Buffer): Promise<string> {
  const text = await unzip(bytes, { maxOutputLength: MOST_BYTES }).catch((cause: unknown) => {
    throw (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : cause
  })
  return text.toString('utf8')
}

function requireSmall(length: number): number {
  if (length > MOST_BYTES) throw tooLarge()
  return length
}

const tooLarge = () => new Unreadable('The description of this package is too large to read.')

/** The first certificate is the signer's. */
function signerIn(toc: string): Facts['signer'] {
  return parseSigner(Buffer.from(findElements(toc, 'X509Certificate')[0]?.text ?? '', 'base64'))
}
