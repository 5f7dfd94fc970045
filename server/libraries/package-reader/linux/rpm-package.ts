import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { architecturesOf } from './architectures.ts'

const LEAD = 0xedabeedb
const LEAD_BYTES = 96
const HEADER = 0x8eade801
/** Magic, reserved bytes, the number of index entries, the length of the data. */
const INTRO_BYTES = 16
const ENTRY_BYTES = 16
/** The limit of rpm itself (lib/header.c). */
const MOST_ENTRIES = 65_535
const MOST_TEXT_BYTES = 1024

/** Types and tags (rpm.org, "RPM tags"). A translated text begins with the untranslated one. */
const TEXT = 6
const TRANSLATED_TEXT = 9
const INT32 = 4
const NAME = 1000
const VERSION = 1001
const RELEASE = 1002
const EPOCH = 1003
const VENDOR = 1011
const PACKAGER = 1015
const ARCHITECTURE = 1022
const TAGS = new Set([NAME, VERSION, RELEASE, EPOCH, VENDOR, PACKAGER, ARCHITECTURE])

/** Reads the header of an RPM package (rpm.org, "RPM v3 and v4 package format"). */
export async function readRpmPackage(file: PackageFile): Promise<Look> {
  const isOne = file.size >= LEAD_BYTES && (await file.read(0, 4)).readUInt32BE(0) === LEAD
  if (!isOne) throw new Unreadable('This is not an RPM package.')
  const signature = await readHeader(file, LEAD_BYTES)
  const header = await readHeader(file, Math.ceil(signature.end / 8) * 8)
  const values = await readValues(file, header)
  const name = values.get(NAME) ?? null
  const facts = {
    ...noFacts('rpm'),
    name,
    app_id: name,
    version: versionOf(values),
    publisher: values.get(VENDOR) ?? values.get(PACKAGER)?.replace(/\s*<[^<>]*>\s*$/, '') ?? null,
    architectures: architecturesOf(values.get(ARCHITECTURE) ?? ''),
  }
  return { facts, icon: null }
}

/** `[epoch:]version-release`, as rpm compares it. */
function versionOf(values: ReadonlyMap<number, string>): string | null {
  const version = values.get(VERSION)
  if (version === undefined) return null
  const epoch = values.get(EPOCH)
  const release = values.get(RELEASE)
  return `${epoch === undefined ? '' : `${epoch}:`}${version}${release === undefined ? '' : `-${release}`}`
}

interface Header {
  entries: number
  /** Positions in the file. */
  index: number
  data: number
  end: number
}

async function readHeader(file: PackageFile, position: number): Promise<Header> {
  const intro = await file.read(position, INTRO_BYTES)
  const entries = intro.readUInt32BE(8)
  if (intro.readUInt32BE(0) !== HEADER || entries > MOST_ENTRIES) throw new Error('Not a header of rpm')
  const index = position + INTRO_BYTES
  const data = index + entries * ENTRY_BYTES
  return { entries, index, data, end: data + intro.readUInt32BE(12) }
}

/** The values of the tags above; lists of files, which may have megabytes, are not read. */
async function readValues(file: PackageFile, header: Header): Promise<Map<number, string>> {
  const values = new Map<number, string>()
  const index = await file.read(header.index, header.entries * ENTRY_BYTES)
  for (let at = 0; at < index.length; at += ENTRY_BYTES) {
    const tag = index.readUInt32BE(at)
    if (!TAGS.has(tag) || values.has(tag)) continue
    const type = index.readUInt32BE(at + 4)
    const start = header.data + index.readUInt32BE(at + 8)
    const value = await file.read(start, Math.min(MOST_TEXT_BYTES, header.end - start))
    if (type === INT32) values.set(tag, String(value.readUInt32BE(0)))
    if (type === TEXT || type === TRANSLATED_TEXT) values.set(tag, value.toString('utf8').split('\0', 1)[0] ?? '')
  }
  return values
}
