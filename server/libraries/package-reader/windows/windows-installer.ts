import { signingCertificate } from '../certificate/signing-certificate.ts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { CompoundFile } from './compound-file.ts'

const SIGNATURE = '\u0005DigitalSignature'
const SUMMARY = '\u0005SummaryInformation'
/** Limits one text: values of properties are short. */
const MOST_TEXT_BYTES = 1024
const MOST_PROPERTIES = 1000
const LONG_REFERENCES = 0x80000000
/** The property of the summary that begins with the architectures ([MS-OLEPS]; PID_TEMPLATE). */
const TEMPLATE = 7
const TEXT = 30

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._'
const EAST_ASIAN: ReadonlyMap<number, string> = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
])
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['intel', 'x86'],
  ['x64', 'x64'],
  ['amd64', 'x64'],
  ['arm', 'arm'],
  ['arm64', 'arm64'],
])

/** Reads the Property table of a Windows Installer package. */
export async function readWindowsInstaller(file: PackageFile): Promise<Look> {
  const storage = await CompoundFile.open(file)
  if (!storage?.has(tableName('Property')))
    throw new Unreadable('This is not a Windows Installer package.')

  const properties = await readProperties(storage)
  const isSigned = storage.has(SIGNATURE)

  const facts = {
    ...noFacts('msi'),
    name: properties.get('ProductName') ?? null,
    app_id: properties.get('UpgradeCode') ?? null,
    version: properties.get('ProductVersion') ?? null,
    publisher: properties.get('Manufacturer') ?? null,
    architectures: (await optional(() => readArchitectures(storage))) ?? [],
    is_signed: isSigned,
    signer: isSigned
      ? await optional(async () => signingCertificate(await storage.read(SIGNATURE)))
      : null,
  }
  return { facts, icon: null }
}

/**
 * The stream of a table. Names have 64 characters, of which one code unit holds two (from 0x3800)
 * or one (from 0x4800); 0x4840 begins tables. Windows does not document it; Wine (dlls/msi/table.c)
 * does.
 */
function tableName(table: string): string {
  const digits = table.split('').map((it) => ALPHABET.indexOf(it))
  const units = [0x4840]
  for (let index = 0; index < digits.length; index += 2) {
    const [low = 0, high] = digits.slice(index, index + 2)
    units.push(high === undefined ? 0x4800 + low : 0x3800 + high * 64 + low)
  }
  return String.fromCharCode(...units)
}

/** Rows of two texts, column by column; each text is a number in the pool. */
async function readProperties(storage: CompoundFile): Promise<Map<string, string>> {
  const pool = await storage.read(tableName('_StringPool'))
  const texts = parseTexts(pool, await storage.read(tableName('_StringData')))

  const table = await storage.read(tableName('Property'))
  const bytes = pool.readUInt32LE(0) < LONG_REFERENCES ? 2 : 3
  const rows = Math.floor(table.length / (2 * bytes))
  const properties = new Map<string, string>()

  for (let row = 0; row < Math.min(rows, MOST_PROPERTIES); row++) {
    const name = texts(table.readUIntLE(row * bytes, bytes))
    properties.set(name, texts(table.readUIntLE((rows + row) * bytes, bytes)))
  }
  return properties
}

/**
 * Texts by number. The pool has the length of each, in two bytes, or in the next four if these are
 * 0 (Wine, string.c).
 */
function parseTexts(pool: Buffer, data: Buffer): (index: number) => string {
  const decoder = decoderOf(pool.readUInt16LE(0))
  const ends = [0]

  for (let at = 4, end = 0; at + 4 <= pool.length; at += 4) {
    const isLong = pool.readUInt16LE(at) === 0 && pool.readUInt16LE(at + 2) > 0
    if (isLong) at += 4
    end += isLong ? pool.readUInt32LE(at) : pool.readUInt16LE(at)
    ends.push(end)
  }

  return (index) => {
    const start = ends[index - 1] ?? 0
    return decoder.decode(data.subarray(start, Math.min(ends[index] ?? 0, start + MOST_TEXT_BYTES)))
  }
}

/** Returns the decoder of a Windows code page; 0 means unspecified. */
function decoderOf(codePage: number): TextDecoder {
  if (codePage === 65001) return new TextDecoder()
  try {
    return new TextDecoder(EAST_ASIAN.get(codePage) ?? `windows-${codePage}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/** A text such as `x64;1033` in the summary, which is a property set. */
async function readArchitectures(storage: CompoundFile): Promise<string[]> {
  const summary = await storage.read(SUMMARY)
  const section = summary.subarray(summary.readUInt32LE(44))

  const count = Math.min(section.readUInt32LE(4), MOST_PROPERTIES)
  const index = Array.from({ length: count }, (_, entry) => 8 + 8 * entry)
  const offset = index.find((at) => section.readUInt32LE(at) === TEMPLATE)
  if (offset === undefined) return []

  const value = section.subarray(section.readUInt32LE(offset + 4))
  if (value.readUInt32LE(0) !== TEXT) return []

  const length = Math.min(value.readUInt32LE(4), MOST_TEXT_BYTES)
  const [names = ''] = value.toString('latin1', 8, 8 + length).split(/[;\0]/, 1)
  return names
    .split(',')
    .filter((name) => name !== '')
    .map((name) => ARCHITECTURES.get(name.toLowerCase()) ?? name)
}
