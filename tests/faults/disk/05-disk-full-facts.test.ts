import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apiDemos } from '../../support/packages'
import { upload } from '../../support/world/upload'
import { slipway } from '../../support/world/process'
import { clientAt, fetchAt, register, startHost } from '../../support/world/place'
import { named, noRoot } from '../../support/system/rounds'
import { aSmallDisk } from '../support/volume'

/** An upload makes two: the folder of its blob, and the blob. */
const NEEDED = 2

/**
 * Makes files until the disk takes no more, then leaves room for `left`. Returns a function that
 * removes them.
 */
async function fillWithFiles(disk: string, left: number): Promise<() => Promise<void>> {
  const paths: string[] = []
  for (;;) {
    const path = join(disk, `filler-${paths.length}`)
    const error = await writeFile(path, '').catch((cause: unknown) => cause)
    if (error !== undefined) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
      break
    }
    paths.push(path)
  }
  for (const path of paths.splice(-left)) await rm(path)
  return async () => {
    for (const path of paths) await rm(path)
  }
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((it) => it.isFile())
    .map(({ name }) => name)

test.skipIf(noRoot)(
  named(
    '5: a disk that is full once the bytes are there: the upload succeeds, its facts are read later',
  ),
  async () => {
    const disk = await aSmallDisk(160, 200)
    const dir = join(disk, 'data')
    const host = await startHost(dir)
    const place = await register(host)
    const client = clientAt(place)
    // The audit log makes its file a moment after the first event.
    await expect.poll(() => readdir(join(dir, 'audit'))).not.toEqual([])
    const empty = await fillWithFiles(disk, NEEDED)

    const { file_id: id } = await upload(
      fetchAt(place),
      new File([await readFile(apiDemos)], 'demos.apk'),
    )

    expect((await client.files.info({ id })).file).toMatchObject({ facts: null, icon_url: null })
    expect(await client.files.facts({ id })).toMatchObject({
      facts: null,
      reason: 'This package has not been read yet.',
    })
    const blobs = (await filesIn(join(dir, 'blobs'))).filter((name) => name !== 'catalogue.json')
    expect(blobs).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(await readdir(join(dir, 'tmp'))).toEqual([])
    expect(host.stderr).toContain('cannot save the facts of a package')

    await empty()
    expect((await client.files.readAgain({ id })).facts).toMatchObject({
      app_id: 'io.appium.android.apis',
    })
    expect((await client.files.info({ id })).file.icon_url).not.toBeNull()
    await host.stop()
    expect((await slipway('verify', '--read-data', '--data', dir)).output).toContain(
      'No problems found.',
    )
  },
)
