import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { realDisk } from '../../../../server/core/durable-file'
import { fingerprintOf } from '../../../../server/libraries/ssh-tunnel/ssh-session'
import { tunnelKey } from '../../../../server/libraries/ssh-tunnel/tunnel-key'
import { named, noRoot } from '../../../support/system/rounds'
import { needTools, run } from '../../../support/system/debian'
import { tempDir } from '../../../support/system/temp-dir'

beforeAll(() => (noRoot === undefined ? needTools('ssh') : undefined), 180_000)

test.skipIf(noRoot)(
  named('ssh-keygen reads the key of the tunnel, and prints the same line and fingerprint'),
  async () => {
    const dataDir = await tempDir()
    const { publicLine } = await tunnelKey(dataDir, realDisk)
    const [key, publicKey] = [join(dataDir, 'tunnel-key'), join(dataDir, 'key.pub')]
    await writeFile(publicKey, `${publicLine}\n`)

    expect((await run('ssh-keygen', ['-y', '-f', key])).stdout.trim()).toBe(publicLine)
    const fingerprint = fingerprintOf(Buffer.from(publicLine.split(' ')[1]!, 'base64'))
    expect((await run('ssh-keygen', ['-lf', publicKey])).stdout.split(' ')[1]).toBe(fingerprint)
  },
)
