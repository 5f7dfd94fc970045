import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'

const BLOCK = 512
/** 8 MiB of flash. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_PAYLOAD = 476
const NOT_FLASH = 0x1
const IS_FILE = 0x1000
const HAS_FAMILY = 0x2000

/** Chips by family (github.com/microsoft/uf2, utils/uf2families.json). */
const FAMILIES: ReadonlyMap<number, string> = new Map([
  [0xe48bff56, 'RP2040'],
  [0xe48bff59, 'RP2350'],
  [0xe48bff5a, 'RP2350 (RISC-V)'],
  [0xe48bff5b, 'RP2350'],
  [0x68ed2b88, 'SAMD21'],
  [0x1851780a, 'SAML21'],
  [0x55114460, 'SAMD51'],
  [0x1b57745f, 'nRF52'],
  [0x621e937a, 'nRF52833'],
  [0xada52840, 'nRF52840'],
  [0x1c5f21b0, 'ESP32'],
  [0xbfdd4eee, 'ESP32-S2'],
  [0xd42ba06c, 'ESP32-C3'],
  [0xc47e5767, 'ESP32-S3'],
  [0x540ddf62, 'ESP32-C6'],
  [0x332726f6, 'ESP32-H2'],
  [0x3d308e94, 'ESP32-P4'],
  [0x7eab61ed, 'ESP8266'],
  [0x5ee21072, 'STM32F103'],
  [0x5d1a0a2e, 'STM32F2'],
  [0x6b846188, 'STM32F3'],
  [0x57755a57, 'STM32F4'],
  [0x53b80f00, 'STM32F7'],
  [0x300f5633, 'STM32G0'],
  [0x4c71240a, 'STM32G4'],
  [0x6db66082, 'STM32H7'],
  [0x202e3a91, 'STM32L0'],
  [0x1e1f432d, 'STM32L1'],
  [0x00ff6919, 'STM32L4'],
  [0x70d16653, 'STM32WB'],
  [0x9af03e33, 'GD32VF103'],
])
/**
 * Families of blocks for any chip, and of a workaround for RP2350 (datasheet, E10). They do not
 * identify the firmware.
 */
const ANY = [0xe48bff57, 0xe48bff58]

interface Block {
  family: number | undefined
  start: number
  end: number
}

/**
 * Reads the headers of all blocks (github.com/microsoft/uf2, README, "File format"): chips and
 * addresses.
 */
export async function readUf2(file: PackageFile): Promise<Look> {
  const isWhole = file.size > 0 && file.size % BLOCK === 0
  if (isWhole && file.size > MOST_BYTES) throw new Unreadable('This UF2 file is too large to read.')

  const blocks = isWhole ? parseBlocks(await file.read(0, file.size)) : undefined
  if (!blocks) throw new Unreadable('This is not a UF2 file.')

  const own = blocks.filter(({ family }) => family === undefined || !ANY.includes(family))
  if (overlaps(own))
    throw new Unreadable('Its blocks overlap, so a board would get only some of them.')

  const families = [...new Set(own.flatMap(({ family }) => family ?? []))]
  const chips = families.map(
    (family) => FAMILIES.get(family) ?? `Family 0x${family.toString(16).padStart(8, '0')}`,
  )

  const start = own.reduce((least, block) => Math.min(least, block.start), Infinity)
  const end = own.reduce((most, block) => Math.max(most, block.end), 0)
  const addresses = own.length === 0 ? null : { start, end }

  return {
    facts: { ...noFacts('uf2'), architectures: [...new Set(chips)], firmware: { addresses } },
    icon: null,
  }
}

/**
 * Parses all blocks, without those that are not for the flash. Returns undefined if any is not a
 * UF2 block.
 */
function parseBlocks(bytes: Buffer): Block[] | undefined {
  const blocks: Block[] = []
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const word = (offset: number) => bytes.readUInt32LE(at + offset)
    const isBlock = word(0) === 0x0a324655 && word(4) === 0x9e5d5157 && word(508) === 0x0ab16f30
    const flags = word(8)
    const start = word(12)
    const length = word(16)

    if (!isBlock || length > MOST_PAYLOAD) return undefined
    if ((flags & (NOT_FLASH | IS_FILE)) !== 0) continue
    blocks.push({
      family: (flags & HAS_FAMILY) === 0 ? undefined : word(28),
      start,
      end: start + length,
    })
  }
  return blocks
}

function overlaps(blocks: readonly Block[]): boolean {
  for (const ofFamily of Map.groupBy(blocks, ({ family }) => family).values()) {
    const sorted = ofFamily.toSorted((a, b) => a.start - b.start)
    if (sorted.some(({ start }, index) => start < (sorted[index - 1]?.end ?? 0))) return true
  }
  return false
}
