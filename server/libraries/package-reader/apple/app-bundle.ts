import type { Facts } from '../../../contract/files/facts'
import { noFacts } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { readMembers, startOfMember, type Members } from '../zip/zip-package.ts'
import type { Properties } from './property-list.ts'

export const commonPaths = [
  'CFBundleIdentifier',
  'CFBundleShortVersionString',
  'CFBundleVersion',
  'CFBundleDisplayName',
  'CFBundleName',
  'CFBundleExecutable',
  'CFBundleIconFile',
]
/** Compressed bytes that contain the header of a program, even if it does not compress. */
const PROGRAM_BYTES = 512

/** Processors by their number (mach/machine.h). */
const PROCESSORS: ReadonlyMap<number, string> = new Map([
  [7, 'x86'],
  [12, 'arm'],
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
])
/**
 * A program for one processor, of 32 or 64 bits, and one for several (mach-o/loader.h,
 * mach-o/fat.h).
 */
const THIN = [0xfeedface, 0xfeedfacf]
const FAT = 0xcafebabe
const MOST = 8
/** Bytes that the Mach-O headers take at most. */
const MACH_O_BYTES = 8 + 20 * MOST

/** An app for iOS or macOS in a zip. */
export interface AppBundle {
  file: PackageFile
  info: Properties
  /** Folders in the zip, with a slash at the end. */
  content: string
  programs: string
}

/**
 * The facts that iOS and macOS apps share. Also finds the members whose paths within the content
 * match.
 */
export async function commonFacts(
  kind: 'ipa' | 'app',
  { file, info, content, programs }: AppBundle,
  matches: (path: string) => boolean,
): Promise<{ facts: Facts; members: Members }> {
  const first = (path: string) => info.get(path)?.[0]
  const program = programs + (first('CFBundleExecutable') ?? '')
  const signature = `${content}_CodeSignature/CodeResources`

  const members = await readMembers(file, (name) => {
    const isWanted = name.startsWith(content) && matches(name.slice(content.length))
    return isWanted || name === program || name === signature ? 'keep' : 'skip'
  })

  const entry = members.get(program)
  const start = entry && (await optional(() => startOfMember(file, entry, PROGRAM_BYTES)))

  const facts = {
    ...noFacts(kind),
    name: first('CFBundleDisplayName') ?? first('CFBundleName') ?? null,
    app_id: first('CFBundleIdentifier') ?? null,
    version: first('CFBundleShortVersionString') ?? null,
    build: first('CFBundleVersion') ?? null,
    architectures: start ? processorsIn(start) : [],
    is_signed: members.has(signature),
  }
  return { facts, members }
}

/**
 * The processors that a program of Apple's systems is for, by its first bytes. Others have none.
 */
function processorsIn(program: Buffer): string[] {
  if (program.length < MACH_O_BYTES) return []
  if (THIN.includes(program.readUInt32LE(0))) return namesOf([program.readUInt32LE(4)])
  if (program.readUInt32BE(0) !== FAT) return []
  const count = Math.min(program.readUInt32BE(4), MOST)
  return namesOf(Array.from({ length: count }, (_, index) => program.readUInt32BE(8 + 20 * index)))
}

function namesOf(processors: readonly number[]): string[] {
  const names = processors.map((it) => PROCESSORS.get(it)).filter((name) => name !== undefined)
  return [...new Set(names)].toSorted()
}
