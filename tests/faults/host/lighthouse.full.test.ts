import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

test('pages of visitors and the first views of signed-in pages meet their goals', async () => {
  const inRoot = { cwd: root, timeout: 580_000 }
  await run(process.execPath, ['scripts/build.mjs', '--if-changed'], inRoot)
  const { stdout } = await run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/lighthouse.ts'], inRoot)
  for (const page of ['/p/api-demos (phone)', '/ (desk)', '/browse (phone)', '/login (phone)', '/projects (signed in)'])
    expect(stdout).toContain(page)
})
