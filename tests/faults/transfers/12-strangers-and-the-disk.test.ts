import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { upload } from '../../support/world/upload'
import { TusClient } from '../../support/network/tus'
import { Host } from '../../support/world/process'
import { clientAt, fetchAt, register } from '../../support/world/place'
import { named, noRoot } from '../../support/system/rounds'
import { aSmallDisk } from '../support/volume'

const MB = 1024 ** 2

test.skipIf(noRoot)(
  named('uploads that strangers only start evict no trash, and the host can still upload'),
  async () => {
    const disk = await aSmallDisk(160)
    const host = await Host.start(join(disk, 'data'))
    onTestFinished(() => host.kill())
    const alice = await register(host)
    const { file_id: id } = await upload(fetchAt(alice), new File([Buffer.alloc(30 * MB)], 'p.zip'))
    await clientAt(alice).files.remove({ id })

    for (const name of ['bob', 'carol', 'dave']) {
      const stranger = new TusClient(fetchAt(await register({ url: host.url }, name)))
      expect((await stranger.create(60 * MB)).status).toBe(201)
    }

    expect((await clientAt(alice).trash.list({})).total).toBe(1)
    expect(await upload(fetchAt(alice), new File([Buffer.alloc(50 * MB)], 'q.zip'))).toMatchObject({ size: 50 * MB })
    expect((await clientAt(alice).trash.list({})).total).toBe(1)
    await clientAt(alice).trash.restore({ id })
  },
)
