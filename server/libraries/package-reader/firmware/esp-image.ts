import { createHash } from 'node:crypto'
import type { IndexOf } from '../../../contract/files/package-index'
import { noFacts, readIndex, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'

/** The largest flash of these chips that is common, in bytes. */
const MOST_BYTES = 16 * 1024 * 1024
const MAGIC = 0xe9
const HEADER_BYTES = 24
/** Offsets of the bootloader in a flash image: ESP8266, C3 and later; ESP32 and S2; P4 and C5. */
const BOOTLOADERS = [0, 0x1000, 0x2000]
const TABLE = 0x8000
const TABLE_MAGIC = 0x50aa
const TABLE_ENTRY = 32
const MOST_PARTITIONS = 95
/**
 * Offset of the app description after the headers of the image and its first segment
 * (esp_app_desc_t, ESP-IDF).
 */
const DESCRIPTION = HEADER_BYTES + 8
const DESCRIPTION_MAGIC = 0xabcd5432

/** Chip names by `chip_id` (esptool, "Firmware Image Format", and its `targets`). */
const CHIPS: ReadonlyMap<number, string> = new Map([
  [0, 'ESP32'],
  [2, 'ESP32-S2'],
  [5, 'ESP32-C3'],
  [9, 'ESP32-S3'],
  [12, 'ESP32-C2'],
  [13, 'ESP32-C6'],
  [16, 'ESP32-H2'],
  [18, 'ESP32-P4'],
  [20, 'ESP32-C61'],
  [23, 'ESP32-C5'],
])

/**
 * Reads firmware for chips of Espressif: an app, or a copy of the whole flash with the partition
 * table. Null: other bytes.
 */
export async function readEspImage(file: PackageFile): Promise<Look | null> {
  const table = (await isTable(file)) ? TABLE : undefined
  const places = table === undefined ? [0] : BOOTLOADERS

  const headers = await Promise.all(places.map((at) => readHeader(file, at)))
  const chip = headers.find((it) => it !== undefined)
  if (chip === undefined) return null

  const app = table === undefined ? 0 : await findApp(file)
  const description = await optional(() => readDescription(file, app))
  const facts = {
    ...noFacts('bin'),
    name: description?.name ?? null,
    version: description?.version ?? null,
    architectures: [chip],
    firmware: { addresses: table === undefined ? null : { start: 0, end: file.size } },
  }

  const role = table === undefined && chip !== 'ESP8266' ? 'app' : 'whole'
  const md5 = file.size > MOST_BYTES ? undefined : await digest(file)
  return { facts, icon: null, index: readIndex(() => buildIndex(chip, role, md5)) }
}

function buildIndex(chip: string, role: 'app' | 'whole', md5: string | undefined): IndexOf<'bin'> {
  if (md5 === undefined) throw new Unreadable('This firmware is larger than the flash of any chip.')
  return { kind: 'bin', chip, role, md5 }
}

const digest = async (file: PackageFile) =>
  createHash('md5')
    .update(await file.read(0, file.size))
    .digest('hex')

const isTable = async (file: PackageFile): Promise<boolean> =>
  file.size > TABLE + TABLE_ENTRY && (await file.read(TABLE, 2)).readUInt16LE() === TABLE_MAGIC

/** The chip that an image is for; undefined: there is no image. */
async function readHeader(file: PackageFile, at: number): Promise<string | undefined> {
  if (file.size < at + DESCRIPTION) return undefined
  const header = await file.read(at, HEADER_BYTES)
  const segments = header.readUInt8(1)
  if (header.readUInt8(0) !== MAGIC || segments === 0 || segments > 16) return undefined
  // ESP8266 has no second half of the header; its programs start in this memory.
  const entry = header.readUInt32LE(4)
  if (entry >= 0x40100000 && entry < 0x40108000 && header.readUInt32LE(8) >= 0x3ff00000)
    return 'ESP8266'
  return CHIPS.get(header.readUInt16LE(12))
}

/** Returns the offset of the first app in the partition table ("Partition Tables", ESP-IDF). */
async function findApp(file: PackageFile): Promise<number> {
  const length = Math.min(MOST_PARTITIONS * TABLE_ENTRY, file.size - TABLE)
  const table = await file.read(TABLE, length - (length % TABLE_ENTRY))
  for (let at = 0; at < table.length && table.readUInt16LE(at) === TABLE_MAGIC; at += TABLE_ENTRY)
    if (table.readUInt8(at + 2) === 0) return table.readUInt32LE(at + 4)
  return 0
}

async function readDescription(file: PackageFile, app: number) {
  const bytes = await file.read(app + DESCRIPTION, 112)
  if (bytes.readUInt32LE() !== DESCRIPTION_MAGIC) return null
  const text = (at: number) => bytes.toString('utf8', at, at + 32).split('\0', 1)[0] || null
  return { version: text(16), name: text(48) }
}
