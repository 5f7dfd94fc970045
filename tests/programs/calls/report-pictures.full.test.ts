import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { aPicture } from '../../support/pictures'
import { aBeta, send } from '../../support/reports'
import { run, unpacked } from '../../support/system/debian'
import { test } from '../../support/world/http'

const TAGS = [
  '-GPSLatitude=51.4778',
  '-GPSLatitudeRef=N',
  '-Make=Pixel',
  '-SerialNumber=4711',
  '-Artist=Kim',
]
const NAMES = /GPS|Make|Serial|Artist|Author/

test(
  'exiftool finds neither place, camera nor person in the pictures of a report',
  { timeout: 120_000 },
  async ({ server, folder }) => {
    const { 'libimage-exiftool-perl': tool } = await unpacked('libimage-exiftool-perl')
    const exiftool = (...args: string[]) =>
      run('perl', ['-I', tool.file('usr/share/perl5'), tool.file('usr/bin/exiftool'), ...args])
    const namesIn = async (path: string) => {
      const [facts = {}] = JSON.parse((await exiftool('-j', path)).stdout) as object[]
      return Object.keys(facts).filter((name) => NAMES.test(name))
    }

    const { alice, door, id, newest } = await aBeta(server)
    const plain = join(folder, 'plain.png')
    const [photo, drawn] = [join(folder, 'photo.png'), join(folder, 'drawn.webp')]
    await writeFile(plain, aPicture({ width: 40 }))
    await exiftool(...TAGS, '-o', photo, plain)

    // The second time it sends what the host has made, with the same tags.
    for (const path of [photo, drawn]) {
      expect((await namesIn(path)).length).toBeGreaterThanOrEqual(3)
      await send(server, door, { files: [[path, await readFile(path)]] })
      const { report_id, attachments } = await newest()
      const address = `/api/projects/${id}/reports/${report_id}/files/${attachments[0]?.attachment_id}`
      const bytes = Buffer.from(await (await server.fetchAs(alice)(address)).arrayBuffer())
      await writeFile(drawn, bytes)
      expect(await namesIn(drawn)).toEqual([])
      await exiftool(...TAGS, '-overwrite_original', drawn)
      server.clock.advance(1000)
    }
  },
)
