import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Library } from '../../../server/data/library/library'
import { run } from '../transfers/process'

const root = join(import.meta.dirname, '../../..')
/** The last source in which the library wrote to its journal itself, rather than to a `Ledger`. */
const BEFORE = 'd0165278^'

export type Open = (options: Parameters<typeof Library.open>[0]) => Promise<Library>

/** The library of that source, out of the history of this repository. */
export async function loadLibraryBefore(): Promise<{ open: Open; end: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-before-'))
  const take = 'git -C "$1" archive "$2" server package.json tsconfig.json | tar -x -C "$3"'
  await run('sh', ['-c', take, 'sh', root, BEFORE, dir])
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
  const loaded = (await import(join(dir, 'server/data/library/library.ts'))) as { Library: typeof Library }
  return { open: (options) => loaded.Library.open(options), end: () => rm(dir, { recursive: true }) }
}
