import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

test('Lighthouse gives the pages of visitors at least the goals, on a phone and on a desktop', async () => {
  const inRoot = { cwd: root, timeout: 280_000 }
  await run(process.execPath, ['scripts/build.mjs', '--if-changed'], inRoot)
  const { stdout } = await run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/lighthouse.ts'], inRoot)
  for (const page of ['/p/api-demos (phone)', '/p/api-demos (desk)', '/ (phone)', '/ (desk)'])
    expect(stdout).toContain(page)
})
