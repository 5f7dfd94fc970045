import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { offsetOf, TusClient } from '../../support/network/tus'
import { apiDemos } from '../../support/packages'
import { sendUpload, uploadForm } from '../../support/world/upload'
import { Host, slipway, until } from '../../support/world/process'
import { clientAt, fetchAt, register, type Place } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'
import { sha256 } from '../../support/system/sha256'

/** How often to try to hit a moment that lasts some milliseconds. */
const TRIES = 20
const BLOB_OR_SIDECAR = /^[0-9a-f]{32}/

const moments = [
  ['its blob is in place and its facts are not', /^[0-9a-f]{32}$/],
  ['its facts are in place and its record is not', /\.facts\.json$/],
] as const

const blobsIn = (dir: string): string[] =>
  readdirSync(join(dir, 'blobs'), { recursive: true, encoding: 'utf8' })
const isAt = (dir: string, moment: RegExp) =>
  blobsIn(dir).some((path) => moment.test(path.slice(path.indexOf('/') + 1)))

/**
 * Kills the host once `moment` is on its disk. Returns false if it had answered the request by
 * then.
 */
async function killedAt(
  moment: RegExp,
  dir: string,
  host: Host,
  request: Promise<Response>,
): Promise<boolean> {
  const answered = request.then(
    () => true,
    () => false,
  )
  const isAnswered = () => Promise.race([answered.then(() => true), breathe(false)])
  while (!(await isAnswered()) && !isAt(dir, moment));
  await host.kill()
  return !(await answered)
}

test.each(moments)(
  '2: kill -9 while %s: the upload resumes or can be repeated, with its facts',
  async (_, moment) => {
    const base = await tempDir()
    const dir = join(base, 'data')
    const bytes = await readFile(apiDemos)
    let host = await Host.start(dir)
    let place = await register(host)
    onTestFinished(() => host.kill())
    /**
     * Repeats `attempt` until it kills the host before the record is kept, and so before the
     * answer.
     */
    const hit = async (attempt: () => Promise<boolean>) => {
      for (let n = 1; ; n++) {
        const isHit = await attempt()
        host = await Host.start(dir)
        place = { ...place, url: host.url }
        const { files } = await clientAt(place).files.mine({})
        if (isHit && files.length === 0) return
        expect(n, 'the host kept the record before it was killed').toBeLessThan(TRIES)
        await removeAll(place, dir)
      }
    }

    await hit(() => {
      const form = uploadForm(new File([bytes], 'demos.apk'))
      return killedAt(moment, dir, host, sendUpload(fetchAt(place), form))
    })
    await until(() => Promise.resolve(!isAt(dir, BLOB_OR_SIDECAR)))

    let address = ''
    await hit(async () => {
      const client = new TusClient(fetchAt(place))
      address = await client.begin(bytes.length)
      return killedAt(moment, dir, host, client.patch(address, 0, bytes))
    })
    const client = new TusClient(fetchAt(place))
    const offset = await offsetOf(client, address)
    if (offset < bytes.length) await client.patch(address, offset, bytes.subarray(offset))
    const { upload } = await clientAt(place).uploads.info({ id: address.split('/').at(-1) ?? '' })
    const { file } = await clientAt(place).files.info({ id: upload.file_id ?? '' })
    expect(file).toMatchObject({
      sha256: sha256(bytes),
      facts: { kind: 'apk', app_id: 'io.appium.android.apis' },
    })
    await host.stop()
    expect((await slipway('verify', '--read-data', '--data', dir)).output).toContain(
      'No problems found.',
    )
  },
)

async function removeAll(place: Place, dir: string): Promise<void> {
  const client = clientAt(place)
  for (const { file_id: id } of (await client.files.mine({})).files)
    await client.files.remove({ id })
  for (const { trash_id: id } of (await client.trash.list({})).items)
    await client.trash.remove({ id })
  await until(() => Promise.resolve(!isAt(dir, BLOB_OR_SIDECAR)))
}
