import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/system/debian'

const root = join(import.meta.dirname, '../../..')

test('pages of visitors and the first views of signed-in pages meet their goals', async () => {
  const inRoot = { cwd: root, timeout: 580_000 }
  await run(process.execPath, ['scripts/build.mjs', '--if-changed'], inRoot)
  const { stdout } = await run(
    process.execPath,
    ['node_modules/tsx/dist/cli.mjs', 'scripts/lighthouse.ts'],
    inRoot,
  )
  for (const page of [
    '/p/api-demos (phone)',
    '/ (desk)',
    '/browse (phone)',
    '/login (phone)',
    '/projects (signed in)',
  ])
    expect(stdout).toContain(page)
})
