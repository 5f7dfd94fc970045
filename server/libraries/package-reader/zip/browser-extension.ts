import type { Facts } from '../../../contract/files/facts'
import { parseJson } from '../json-text.ts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { readMembers, unpackMember } from './zip-package.ts'

const MAGIC = 'Cr24'
const CRX3 = 3
/** Magic, version and length of the header. */
const HEAD_BYTES = 12
const MOST_HEADER_BYTES = 1024 * 1024
/**
 * `CrxFileHeader.signed_header_data` and `SignedData.crx_id` (Chromium,
 * components/crx_file/crx3.proto).
 */
const SIGNED_DATA = Buffer.from([0x82, 0xf1, 0x04])
const CRX_ID = Buffer.from([0x0a, 0x10])
const ID_BYTES = 16

/** Reads an extension of Firefox (.xpi), or of Chromium (.crx, version 3). */
export async function readBrowserExtension(file: PackageFile): Promise<Look> {
  const head = await file.read(0, Math.min(HEAD_BYTES, file.size))
  const isChromium = head.toString('latin1', 0, 4) === MAGIC
  if (isChromium && head.readUInt32LE(4) !== CRX3)
    throw new Unreadable('Slipway reads version 3 of .crx only.')

  const length = isChromium ? head.readUInt32LE(8) : 0
  const start = isChromium ? HEAD_BYTES + length : 0
  const manifest = await readManifest(start > 0 ? file.part(start, file.size - start) : file)

  const facts = {
    ...noFacts('extension'),
    name: nameIn(manifest),
    version: readText(manifest, 'version'),
  }

  if (!isChromium) return { facts: { ...facts, ...forFirefox(manifest) }, icon: null }
  if (length > MOST_HEADER_BYTES)
    throw new Unreadable('The header of this package is too large to read.')

  const least = readText(manifest, 'minimum_chrome_version')
  const app_id = idIn(await file.read(HEAD_BYTES, length))
  return {
    facts: { ...facts, app_id, min_os: least === null ? null : `Chrome ${least}` },
    icon: null,
  }
}

async function readManifest(zip: PackageFile): Promise<unknown> {
  const members = await readMembers(zip, (name) => (name === 'manifest.json' ? 'keep' : 'skip'))
  const entry = members.get('manifest.json')
  if (!entry) throw new Unreadable('This extension has no manifest.json.')
  return parseJson(await unpackMember(zip, entry))
}

/** The text at a path of the manifest. */
function readText(manifest: unknown, ...path: readonly string[]): string | null {
  let value = manifest
  for (const key of path)
    value =
      typeof value === 'object' && value !== null
        ? new Map(Object.entries(value)).get(key)
        : undefined
  return typeof value === 'string' ? value : null
}

/** Names in several languages are in other files. */
function nameIn(manifest: unknown): string | null {
  const name = readText(manifest, 'name')
  return name?.startsWith('__MSG_') ? readText(manifest, 'short_name') : name
}

function forFirefox(manifest: unknown): Pick<Facts, 'app_id' | 'min_os'> {
  // Manifest version 2 had another name of it.
  for (const key of ['browser_specific_settings', 'applications']) {
    const app_id = readText(manifest, key, 'gecko', 'id')
    const least = readText(manifest, key, 'gecko', 'strict_min_version')
    if (app_id !== null) return { app_id, min_os: least === null ? null : `Firefox ${least}` }
  }
  return { app_id: null, min_os: null }
}

/** The ID of the extension in the letters a to p. Throws without one. */
function idIn(header: Buffer): string {
  const at = header.indexOf(SIGNED_DATA)

  // The length of the data is one byte: it has the ID only.
  const data = header.subarray(at + SIGNED_DATA.length + 1)
  if (
    at < 0 ||
    !data.subarray(0, CRX_ID.length).equals(CRX_ID) ||
    data.length < CRX_ID.length + ID_BYTES
  )
    throw new Unreadable('This extension has no ID.')

  const digits = data.subarray(CRX_ID.length, CRX_ID.length + ID_BYTES).toString('hex')
  return digits.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
}
