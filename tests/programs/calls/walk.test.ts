import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test('an upload, a download and a page run no more files of the server than their limits', () => {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const walk = spawnSync(process.execPath, [tsx, 'tests/bench/walk.bench.ts'], {
    cwd: root,
    encoding: 'utf8',
  })

  expect(walk, walk.stdout + walk.stderr).toMatchObject({ status: 0 })
})
