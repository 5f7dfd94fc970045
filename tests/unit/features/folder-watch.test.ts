import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { FolderWatch } from '../../../server/features/watches/folder-watch'
import { TestLog } from '../../support/world/test-log'
import { tempDir } from '../../support/system/temp-dir'
import type { WatchRecord } from '../../../server/data/records/watch-records'

const PUBLISHING_MS = 800

test('scans again soon, however long publishing a build takes', async () => {
  const folder = await tempDir()
  const dealt: string[] = []
  const watch = new FolderWatch({ folder, pattern: '*', withBelow: false } as WatchRecord, {
    pace: { stillMs: 20, lookMs: 50 },
    log: new TestLog(),
    isSeen: ({ name }) => dealt.includes(name),
    async deal({ name }) {
      await pause(PUBLISHING_MS)
      dealt.push(name)
    },
  })
  onTestFinished(() => watch.close())

  await writeFile(join(folder, 'one.apk'), 'one')
  await expect.poll(() => dealt).toEqual(['one.apk'])
  await writeFile(join(folder, 'two.apk'), 'two')
  // Publishing is no part of the look, after which it rests for twenty times as long.
  await expect.poll(() => dealt, { timeout: 20 * PUBLISHING_MS }).toEqual(['one.apk', 'two.apk'])
})
