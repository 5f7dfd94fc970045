import type { Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { isSmallPng } from '../../../core/small-png.ts'
import { readMembers, startOfMember, unpackMember, type Members } from '../zip/zip-package.ts'
import { commonFacts, commonPaths } from './app-bundle.ts'
import { parseProperties } from './property-list.ts'

const INFO = /^[^/]+\.app\/Contents\/Info\.plist$/
/**
 * The other content of a zip of a macOS app; a zip whose first file is something else is no app.
 */
const BESIDE = /^(__MACOSX|[^/]+\.app)\//
const MINIMUM = 'LSMinimumSystemVersion'
/** The stapled ticket; in old apps a link to the list of resources, or a copy of it. */
const TICKET = 'CodeResources'
/** Compressed bytes that tell a ticket from these. */
const TICKET_BYTES = 64

/**
 * Members of an icon file that are PNGs, best size first: 256, 512, 128, 64, 1024 and 32 pixels
 * (iconutil(1)).
 */
const PNG_TYPES = ['ic08', 'ic13', 'ic09', 'ic14', 'ic07', 'ic12', 'ic10', 'ic11']

/** Reads a zip of a macOS app. Null: another zip. */
export async function readMacApp(file: PackageFile): Promise<Look | null> {
  let isFound = false
  const top = await optional(() =>
    readMembers(file, (name) => {
      if (isFound || !BESIDE.test(name)) return 'stop'
      isFound = INFO.test(name)
      return isFound ? 'keep' : 'skip'
    }),
  )

  const [entry] = top?.values() ?? []
  if (!entry) return null

  const info = parseProperties(await unpackMember(file, entry), [...commonPaths, MINIMUM])
  const content = entry.fileName.slice(0, -'Info.plist'.length)
  const app = { file, info, content, programs: `${content}MacOS/` }
  const icons = `Resources/${info.get('CFBundleIconFile')?.[0]?.replace(/\.icns$/, '')}.icns`

  const { facts, members } = await commonFacts(
    'app',
    app,
    (path) => path === icons || path === TICKET,
  )
  const minimum = info.get(MINIMUM)?.[0]
  const icon = members.get(content + icons)

  return {
    facts: {
      ...facts,
      bundle: content.slice(0, content.indexOf('/')),
      min_os: minimum ? `macOS ${minimum}` : null,
      is_stapled: await hasTicket(file, members, content + TICKET),
    },
    icon: icon ? await optional(async () => pngIn(await unpackMember(file, icon))) : null,
  }
}

/** Whether the member is neither a property list nor a link to one. */
async function hasTicket(file: PackageFile, members: Members, name: string): Promise<boolean> {
  const entry = members.get(name)
  const start = entry && (await optional(() => startOfMember(file, entry, TICKET_BYTES)))
  return start?.length !== undefined && !/^(<|bplist|_|$)/.test(start.toString('latin1'))
}

/** The best PNG of an icon file: members with type and length follow each other. */
function pngIn(icns: Buffer): Buffer | null {
  const pngs = new Map<string, Buffer>()
  for (let at = 8; at + 8 <= icns.length;) {
    const length = icns.readUInt32BE(at + 4)
    if (length < 8) break
    const content = icns.subarray(at + 8, at + length)

    if (isSmallPng(content)) pngs.set(icns.toString('latin1', at, at + 4), content)
    at += length
  }

  const best = PNG_TYPES.map((type) => pngs.get(type)).find((png) => png !== undefined)
  // A copy: its message to the main thread would contain all sizes.
  return best ? Buffer.from(best) : null
}
