import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judge } from '../scripts/law'

/** Made-up trees that each break one rule; they prove that the check can fail. */
const offences = [
  ['contract-imports-only-rooms-below', 'server/contract/files.ts', 'server/core/errors.ts'],
  ['contract-is-a-leaf', 'server/contract/files.ts', 'server/core/errors.ts'],
  ['core-imports-only-rooms-below', 'server/core/errors.ts', 'server/data/durable-file.ts'],
  ['data-imports-only-rooms-below', 'server/data/backup/verify.ts', 'server/network/reach.ts'],
  ['data-folder-is-above-backups', 'server/data/backup/places.ts', 'server/data/folder/find.ts'],
  ['packages-imports-only-rooms-below', 'server/packages/zip-member.ts', 'server/http/send/range.ts'],
  ['access-imports-only-rooms-below', 'server/access/admit.ts', 'server/http/endpoint/serve.ts'],
  ['http-imports-only-rooms-below', 'server/http/endpoint/serve.ts', 'server/features/files/file-store.ts'],
  ['network-imports-only-rooms-below', 'server/network/reach.ts', 'server/compose/context.ts'],
  ['features-imports-only-rooms-below', 'server/features/files/routes.ts', 'server/app.ts'],
  ['compose-imports-only-rooms-below', 'server/compose/context.ts', 'server/startup/chores.ts'],
  ['features-know-types-of-the-context-only', 'server/features/files/routes.ts', 'server/compose/context.ts'],
  ['features-do-not-import-features', 'server/features/feed/routes.ts', 'server/features/projects/project-store.ts'],
  ['features-do-not-import-features', 'renderer/features/trash/trash-page.tsx', 'renderer/features/feed/feed.tsx'],
  ['only-files-are-shared', 'server/features/downloads/deliver.ts', 'server/features/projects/project-store.ts'],
  ['compose-knows-no-routes', 'server/compose/context.ts', 'server/features/files/routes.ts'],
  ['app-mounts-routes-only', 'server/app.ts', 'server/features/files/file-store.ts'],
  ['kit-knows-no-product', 'renderer/ui/frame.tsx', 'renderer/features/files/files-page.tsx'],
  ['kit-does-not-fetch', 'renderer/ui/table.tsx', 'renderer/lib/client/api-client.ts'],
  ['server-without-electron', 'server/index.ts', 'main/index.ts'],
  ['server-without-electron', 'server/index.ts', 'electron'],
  ['page-and-preload-know-the-contract-only', 'renderer/main.tsx', 'server/core/errors.ts'],
  ['page-and-preload-know-the-contract-only', 'preload/index.ts', 'server/index.ts'],
  ['page-without-node', 'renderer/main.tsx', 'electron'],
  ['page-without-core-modules', 'renderer/main.tsx', 'node:fs'],
  ['main-enters-by-the-front-door', 'main/index.ts', 'server/compose/context.ts'],
  ['nobody-imports-main', 'scripts/dev.ts', 'main/index.ts'],
  ['no-tests-in-production', 'server/index.ts', 'tests/support/factories.ts'],
  ['no-scripts-in-production', 'server/index.ts', 'scripts/seed.ts'],
  ['no-unresolvable', 'server/index.ts', './nowhere.ts'],
] as const

test.each(offences)('%s: %s may not import %s', async (rule, from, to) => {
  const { violations } = await judge(await tree({ [from]: [to], [to]: [] }))

  expect(violations.join('\n')).toContain(`${rule}: ${from} → `)
})

test('no-cycles: two files may not import each other', async () => {
  const { violations } = await judge(await tree({ 'server/a.ts': ['server/b.ts'], 'server/b.ts': ['server/a.ts'] }))

  expect(violations.join('\n')).toContain('no-cycles: server/a.ts → server/b.ts')
})

/** Writes a temporary tree: each file imports the files (by their path from the top) and packages that it names. */
async function tree(imports: Record<string, readonly string[]>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-law-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = Object.entries(imports).filter(([path]) => path.includes('/') && !path.startsWith('.'))
  for (const [path, targets] of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), targets.map((target) => `import '${specifier(path, target)}'\n`).join(''))
  }
  return folder
}

function specifier(from: string, to: string): string {
  if (!to.includes('/') || to.startsWith('.')) return to
  return `${'../'.repeat(from.split('/').length - 1)}${to.replace(/\.tsx?$/, '')}`
}
