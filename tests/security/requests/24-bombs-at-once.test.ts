import { expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import { cpuSeconds, peakMib, resetPeak, residentMib } from '../../support/machines/process'
import { aHost, fetchAt } from '../../support/world/place'
import { aPlist } from '../../support/packages'
import { upload } from '../../support/world/upload'
import { stored, zeros, zipOf } from '../../support/packages/zip'

const BOMBS = 20
/** Of the processor, for all of them. */
const TAKEN_S = 30
const MORE_MIB = 64

/** What an entry says that it unpacks to. */
const CLAIMED = 1000

/** A manifest, a property list and an icon that unpack to 256 MB each, which two of them deny. */
const bombs = [
  ['manifest.apk', zipOf([zeros('AndroidManifest.xml', 256 * MB, CLAIMED)])],
  ['list.ipa', zipOf([zeros('Payload/a.app/Info.plist', 256 * MB)])],
  [
    'icon.ipa',
    zipOf([
      stored('Payload/a.app/Info.plist', aPlist('1.0')),
      zeros('iTunesArtwork', 256 * MB, CLAIMED),
    ]),
  ],
] as const

test.skipIf(process.platform !== 'linux')(
  `24: ${BOMBS} archives at once that unpack to 256 MB each take at most ${MORE_MIB} MiB more memory`,
  async () => {
    const { host, place } = await aHost()
    const { pid = 0 } = host.process
    // The first package starts the reader, and loads what it imports.
    await upload(
      fetchAt(place),
      new File([zipOf([stored('AndroidManifest.xml', 'none')])], 'first.apk'),
    )
    await resetPeak(pid)
    const before = await residentMib(pid)
    const used = await cpuSeconds(pid)

    const files = await Promise.all(
      Array.from({ length: BOMBS }, (_, n) => {
        const [name, bytes] = bombs[n % bombs.length]!
        return upload(fetchAt(place), new File([bytes], `${n}-${name}`))
      }),
    )

    const more = Math.round((await peakMib(pid)) - before)
    const taken = (await cpuSeconds(pid)) - used
    console.log(
      `24: ${BOMBS} bombs at once in ${taken} s of the processor, ${more} MiB more memory`,
    )
    expect(taken).toBeLessThan(TAKEN_S)
    expect(files.map(({ filename, icon_url }) => [filename, icon_url])).toEqual(
      files.map((_, n) => [`${n}-${bombs[n % bombs.length]![0]}`, null]),
    )
    expect(more).toBeLessThan(MORE_MIB)
    expect(host.stderr).toBe('')
  },
)
