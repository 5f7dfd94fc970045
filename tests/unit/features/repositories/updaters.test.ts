import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printSource } from '../../../../server/features/repositories/updaters/altstore'
import {
  printChromium,
  printFirefox,
} from '../../../../server/features/repositories/updaters/extensions'
import type { Build, Feed } from '../../../../server/features/repositories/updaters/feed'
import { printCask } from '../../../../server/features/repositories/updaters/homebrew'
import { printScoop } from '../../../../server/features/repositories/updaters/scoop'
import { printAppcast } from '../../../../server/features/repositories/updaters/sparkle'
import { printReleases } from '../../../../server/features/repositories/updaters/squirrel'
import { printTauri } from '../../../../server/features/repositories/updaters/tauri'
import { printBox } from '../../../../server/features/repositories/updaters/vagrant'
import {
  describePackage,
  printWinget,
} from '../../../../server/features/repositories/updaters/winget'
import { aBuild, aFeed } from './a-feed'

const facts = (kind: 'app' | 'ipa' | 'extension' | 'box' | 'exe', text: string, minOs: string) => ({
  kind,
  appId: text,
  version: text,
  build: text,
  minOs,
})

/** Each document with a file for it, and the text without what a text of the project may be. */
const printers: Record<
  string,
  [(feed: Feed) => string | undefined, (text: string) => Build, (printed: string) => unknown]
> = {
  sparkle: [
    printAppcast,
    (text) => aBuild('a.zip', text, { facts: facts('app', text, 'macOS 11.0') }),
    xmlShape,
  ],
  chromium: [
    printChromium,
    (text) => aBuild('a.crx', text, { facts: facts('extension', text, text) }),
    xmlShape,
  ],
  firefox: [
    printFirefox,
    (text) => aBuild('a.xpi', text, { facts: facts('extension', text, text) }),
    jsonShape,
  ],
  altstore: [
    printSource,
    (text) => aBuild('a.ipa', text, { facts: facts('ipa', text, text) }),
    jsonShape,
  ],
  tauri: [printTauri, (text) => aBuild('a.AppImage', text), jsonShape],
  vagrant: [
    printBox,
    (text) => aBuild('a.box', text, { facts: facts('box', text, 'libvirt') }),
    jsonShape,
  ],
  scoop: [printScoop, (text) => aBuild('a.exe', text), jsonShape],
  winget: [printWinget, (text) => aBuild('a.msi', text), quotedShape],
  'winget, as a source': [
    (feed) => JSON.stringify(describePackage(feed)),
    (text) => aBuild('a.msi', text),
    jsonShape,
  ],
  homebrew: [printCask, (text) => aBuild('a.dmg', text), rubyShape],
  squirrel: [printReleases, (text) => aBuild('a-1.0-full.nupkg', text), (printed) => printed],
}

/** The tags and attributes. Throws where text contains what is none. */
function xmlShape(printed: string): string[] {
  const parts = printed.match(/<[^<>]*>|[^<>]+/g) ?? []
  expect(parts.join('')).toBe(printed)
  return parts.flatMap((part) => {
    if (!part.startsWith('<')) {
      expect(part).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
      return []
    }
    return part.replace(/="(?:[^"<&]|&(?:amp|lt|gt|quot|#39);)*"/g, '=""')
  })
}

function jsonShape(printed: string): unknown {
  const read = JSON.parse(printed) as { addons?: object }
  const known = new Set(Object.keys(read.addons ?? {}))
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shape)
    if (typeof value !== 'object' || value === null) return typeof value
    return Object.entries(value).map(([key, inner]) => [known.has(key) ? 'id' : key, shape(inner)])
  }
  return shape(read)
}

function quotedShape(printed: string): string {
  return printed.replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
}

function rubyShape(printed: string): string {
  return printed.replace(/'(?:[^'\\]|\\.)*'/gs, "''")
}

describe('what is printed for updaters', () => {
  const hostile = fc.oneof(
    fc.string({
      unit: fc.constantFrom(
        ...Array.from('\n"\'\\<>&{}[]#$:-,. /*=%@`!|;'),
        '#{',
        ']]>',
        '-->',
        '\r',
        '\t',
        '\u2028',
        '🚀',
        'end\n',
        '__proto__',
      ),
      minLength: 1,
      maxLength: 30,
    }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
    fc.constantFrom('x'.repeat(10_000), '__proto__', '" />', "'\nsystem('id')\n'", '\\', "\\'"),
  )

  test.each(Object.entries(printers))(
    '%s: no text of a project adds anything',
    (_name, [print, build, shapeOf]) => {
      const shape = (text: string, ...builds: Build[]) =>
        shapeOf(print(aFeed(text, ...builds)) ?? '""')
      const empty = shape('1.0.0')
      const full = shape('1.0.0', build('1.0.0'))
      expect(full).not.toEqual(empty)
      fc.assert(
        fc.property(hostile, (text) => {
          // A version that the client could not compare is left out.
          expect([full, empty]).toContainEqual(shape(text, build(text)))
          expect(shape(text, { ...build(text), release: '1.0.0', version: '1.0.0' })).toEqual(full)
        }),
        { numRuns: 200 },
      )
    },
  )
})
