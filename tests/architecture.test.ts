import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { countHouse } from '../scripts/house'
import { judge } from '../scripts/law'
import { tempDir } from './support/system/temp-dir'

/** Made-up imports that each break a rule; they prove that the check can fail. */
const offences = [
  ['contract-imports-only-rooms-below', 'server/contract/a.ts', 'server/core/errors.ts'],
  ['contract-is-a-leaf', 'server/contract/a.ts', 'server/core/errors.ts'],
  ['core-imports-only-rooms-below', 'server/core/errors.ts', 'server/data/copy-files.ts'],
  ['contract-imports-only-rooms-below', 'server/contract/a.ts', 'server/texts/format.ts'],
  ['texts-know-the-contract-only', 'server/texts/format.ts', 'node:fs'],
  ['data-imports-only-rooms-below', 'server/data/backup/verify.ts', 'server/features/files/a.ts'],
  ['data-folder-is-above-backups', 'server/data/backup/places.ts', 'server/data/folder/find.ts'],
  ['repair-is-below-backups', 'server/data/repair/mend.ts', 'server/data/backup/places.ts'],
  ['texts-know-the-contract-only', 'server/texts/format.ts', 'server/core/errors.ts'],
  ['libraries-imports-only-rooms-below', 'server/libraries/acme/a.ts', 'server/http/send/range.ts'],
  ['libraries-know-no-product', 'server/libraries/acme/a.ts', 'server/contract/a.ts'],
  ['libraries-know-no-product', 'server/libraries/acme/a.ts', 'server/libraries/b/b.ts'],
  ['access-imports-only-rooms-below', 'server/access/admit.ts', 'server/http/endpoint/serve.ts'],
  ['http-imports-only-rooms-below', 'server/http/endpoint/serve.ts', 'server/features/files/a.ts'],
  ['network-imports-only-rooms-below', 'server/network/reach.ts', 'server/compose/context.ts'],
  ['features-imports-only-rooms-below', 'server/features/files/routes.ts', 'server/app.ts'],
  ['compose-imports-only-rooms-below', 'server/compose/context.ts', 'server/startup/chores.ts'],
  [
    'features-know-types-of-the-context-only',
    'server/features/files/routes.ts',
    'server/compose/context.ts',
  ],
  [
    'server-projects-imports-only-features-before-it',
    'server/features/projects/a.ts',
    'server/features/releases/a.ts',
  ],
  [
    'renderer-trash-imports-only-features-before-it',
    'renderer/features/trash/a.tsx',
    'renderer/features/posts/a.tsx',
  ],
  ['server-features-have-a-place', 'server/features/new-noun/a.ts', 'server/core/errors.ts'],
  ['renderer-features-have-a-place', 'renderer/features/new/a.tsx', 'renderer/ui/a.tsx'],
  [
    'only-the-worker-reads-packages',
    'server/features/a.ts',
    'server/libraries/package-reader/a/a.ts',
  ],
  ['several-hosts-have-one-gate', 'server/compose/data.ts', 'server/cluster/forwarding/a.ts'],
  ['several-hosts-have-one-gate', 'server/startup/sweep.ts', 'server/data/postgres/head.ts'],
  ['compose-knows-no-routes', 'server/compose/context.ts', 'server/features/files/routes.ts'],
  ['app-mounts-routes-only', 'server/app.ts', 'server/features/files/a.ts'],
  ['kit-knows-no-product', 'renderer/ui/a.tsx', 'renderer/features/files/files-page.tsx'],
  ['kit-does-not-fetch', 'renderer/ui/table.tsx', 'renderer/lib/client/api-client.ts'],
  ['server-without-electron', 'server/index.ts', 'main/index.ts'],
  ['server-without-electron', 'server/index.ts', 'electron'],
  ['server-renders-pages-for-visitors-only', 'server/app.ts', 'renderer/visitor/a.tsx'],
  [
    'server-renders-components-for-visitors-only',
    'server/features/visitor-pages/a.ts',
    'renderer/ui/a.tsx',
  ],
  ['pages-for-visitors-are-plain', 'renderer/visitor/a.tsx', 'renderer/ui/a.tsx'],
  ['page-and-preload-know-contract-and-texts-only', 'renderer/main.tsx', 'server/core/errors.ts'],
  ['page-and-preload-know-contract-and-texts-only', 'preload/index.ts', 'server/index.ts'],
  ['command-knows-contract-and-texts-only', 'cli/run.ts', 'server/core/errors.ts'],
  ['page-without-node', 'renderer/main.tsx', 'electron'],
  ['page-without-core-modules', 'renderer/main.tsx', 'node:fs'],
  ['main-enters-by-the-front-door', 'main/index.ts', 'server/compose/context.ts'],
  ['nobody-imports-main', 'scripts/dev.ts', 'main/index.ts'],
  ['no-tests-in-production', 'server/index.ts', 'tests/support/world/factories.ts'],
  ['no-suite-imports-another', 'tests/api/files/files.test.ts', 'tests/faults/support/volume.ts'],
  ['no-suite-imports-another', 'tests/support/world/people.ts', 'tests/api/files/files.test.ts'],
  ['no-scripts-in-production', 'server/index.ts', 'scripts/seed.ts'],
  ['no-unresolvable', 'server/index.ts', './nowhere.ts'],
] as const

test('each import that a rule forbids is found', async () => {
  const imports: Record<string, string[]> = {}
  for (const [, from, to] of offences) {
    ;(imports[from] ??= []).push(to)
    imports[to] ??= []
  }
  const violations = (await judge(await tree(imports))).violations.join('\n')

  for (const [rule, from] of offences) expect(violations).toContain(`${rule}: ${from} → `)
})

test('no-cycles: two files may not import each other', async () => {
  const { violations } = await judge(
    await tree({ 'server/a.ts': ['server/b.ts'], 'server/b.ts': ['server/a.ts'] }),
  )

  expect(violations.join('\n')).toContain('no-cycles: server/a.ts → server/b.ts')
})

test('the tree keeps the counted rules', async () => {
  expect(await countHouse()).toEqual([])
}, 300_000)

/** Made-up files that each break one counted rule. */
const excesses = [
  [
    'half a title',
    { 'tests/a.test.ts': "test('of a file', () => {})" },
    "the title 'of a file' cannot be read alone",
  ],
  [
    'a context',
    { 'tests/a.test.ts': ['server', 'context', 'data'].join('.') },
    'the context of a server',
  ],
  [
    'a context in the app',
    { 'main/a.ts': 'const { context } = server' },
    'main/a.ts: reads the context of the server',
  ],
  [
    'time by the wall',
    { 'tests/a.test.ts': ['performance.now()', '- began'].join(' ') },
    'measure time',
  ],
  [
    'a second try',
    { 'tests/a.test.ts': "test('a', { retry:\n2 }, () => {})" },
    'may not be tried twice',
  ],
  [
    '21 files',
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`server/a/${index}.ts`, ''])),
    'server/a: 21 files',
  ],
  ['16 own imports', { 'server/a.ts': "import './b'\n".repeat(16) }, 'server/a.ts: 16 own imports'],
  [
    'a long function',
    { 'server/a.ts': `function f() {\n${'a()\n'.repeat(60)}}` },
    'a function of 62 lines',
  ],
  [
    'a long component',
    { 'renderer/a.tsx': `const A = () => (\n<p>${'a\n'.repeat(100)}</p>)` },
    'a function of 102 lines',
  ],
  [
    'two folders that import each other',
    { 'server/a/a.ts': "import '../b/b'", 'server/a/c.ts': '', 'server/b/b.ts': "import '../a/c'" },
    'server/a → server/b → server/a',
  ],
  [
    'a circle of three folders',
    {
      'main/a/a.ts': "import '../b/b'",
      'main/b/b.ts': "import '../c/c'",
      'main/c/c.ts': "import '../a/d'",
      'main/a/d.ts': '',
    },
    'main/a → main/b → main/c → main/a',
  ],
  [
    'a short file with one user',
    { 'main/a.ts': "import './a/b'", 'main/a/b.ts': '' },
    'main/a/b.ts: belongs into main/a.ts',
  ],
  [
    'a hook of its own for a form',
    { 'renderer/a.ts': "import { useForm } from '@mantine/form'" },
    'to write a form',
  ],
  ['a form without its frame', { 'renderer/a.tsx': '<form onSubmit={submit}>' }, 'to write a form'],
  [
    'a button that sends outside a frame',
    { 'renderer/a.tsx': '<Button type="submit">' },
    'to write a form',
  ],
  ['a mutation of its own', { 'renderer/a.ts': 'useMutation({ mutationFn })' }, 'to write a call'],
  [
    'a failure of its own',
    { 'renderer/a.ts': 'notifyError(failureText(cause, { failed }))' },
    'to write a call',
  ],
  ['a load of its own', { 'renderer/a.ts': 'useQuery({ queryKey, queryFn })' }, 'to write a load'],
  [
    'a refresh of its own',
    { 'renderer/a.ts': 'cache.invalidateQueries({ queryKey })' },
    'to write a refresh',
  ],
  ['a table of its own', { 'renderer/a.tsx': '<Table.Tr>' }, 'to write a table'],
  [
    'a failure to load',
    { 'renderer/a.tsx': 'const a = <LoadError error={error} />' },
    'to write a failure to load',
  ],
  [
    'a type that is declared twice',
    {
      'main/a.ts': 'export interface A { b: B; c: C }',
      'main/b.ts': 'const d = (e: { c: C; b: B }) => e',
    },
    'main/b.ts: a type is A of main/a.ts',
  ],
  [
    'a getter of two things',
    { 'main/a.ts': 'const sizeOf = (a: A, b: B) => 1' },
    'sizeOf is no getter',
  ],
  ['a getter that waits', { 'main/a.ts': 'async function textIn(a: A) {}' }, 'textIn is no getter'],
  [
    'a function named by a participle',
    { 'main/a.ts': 'const changed = (a: A) => 1' },
    'name the function changed',
  ],
  ['a long line', { 'main/a.ts': `// ${'a'.repeat(98)}` }, 'main/a.ts:1: a line of 101'],
  ['a word of our own', { 'main/a.ts': 'const office = 1' }, 'the word office in office'],
  ['a file named by one', { 'main/write-ledger.ts': '' }, 'the word ledger is our own'],
  [
    'many files that know of several hosts',
    Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`main/${n}.ts`, '// In a cluster'])),
    'server/cluster: 26 files outside know of several hosts',
  ],
] as const

test.each(excesses)('finds %s', async (_, files, offence) => {
  expect((await countHouse(await folderOf(files))).join('\n')).toContain(offence)
})

/** Files beside their only user `renderer/a/a.ts` that may stay there. */
const apart = [
  ['a long file', { 'renderer/a/b.ts': 'a()\n'.repeat(26) }],
  ['a class', { 'renderer/a/b.ts': 'export class B {}' }],
  [
    'a component with a stylesheet',
    {
      'renderer/a/a.ts': '',
      'renderer/a/c.tsx': "import './b'",
      'renderer/a/b.tsx': "import './b.css'",
    },
  ],
  [
    'a file with its own test',
    { 'renderer/a/b.ts': '', 'tests/b.test.ts': "import '../renderer/a/b'" },
  ],
  [
    'a file that is loaded later',
    { 'renderer/a/a.ts': "await import('./b')", 'renderer/a/b.ts': '' },
  ],
  ['a file of another folder', { 'renderer/a/a.ts': "import '../b/b'", 'renderer/b/b.ts': '' }],
  [
    'a part of a page',
    { 'renderer/a/a.ts': '', 'renderer/a/a-page.ts': "import './b'", 'renderer/a/b.ts': '' },
  ],
  ['a file with two users', { 'renderer/a/c.ts': "import './b'", 'renderer/a/b.ts': '' }],
  [
    'a file whose user is long',
    { 'renderer/a/a.ts': `import './b'\n${'a()\n'.repeat(299)}`, 'renderer/a/b.ts': 'a()\n' },
  ],
] as const

test.each(apart)('leaves %s apart from its only user', async (_, files) => {
  expect(await countHouse(await folderOf({ 'renderer/a/a.ts': "import './b'", ...files }))).toEqual(
    [],
  )
})

/**
 * Writes a temporary tree: each file imports the files (by their path from the top) and packages
 * that it names.
 */
async function tree(imports: Record<string, readonly string[]>): Promise<string> {
  const files = Object.entries(imports).filter(
    ([path]) => path.includes('/') && !path.startsWith('.'),
  )
  const textOf = (path: string, targets: readonly string[]) =>
    targets.map((target) => `import '${specifier(path, target)}'\n`).join('')
  return folderOf(Object.fromEntries(files.map(([path, targets]) => [path, textOf(path, targets)])))
}

async function folderOf(texts: Record<string, string>): Promise<string> {
  const folder = await tempDir()
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

function specifier(from: string, to: string): string {
  if (!to.includes('/') || to.startsWith('.')) return to
  return `${'../'.repeat(from.split('/').length - 1)}${to.replace(/\.tsx?$/, '')}`
}
