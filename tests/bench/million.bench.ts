import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHost } from './library/full-host'
import { measureHost } from './library/measure-host'
import { head } from './support/figures'
import { buildWorkers } from './support/workers'

/** A host with a million files has to start and to save: `npm run bench -- million`. */
const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-million-'))
const workers = await buildWorkers(join(dir, 'bundle'))
const full = join(dir, 'host')

try {
  await mkdir(full, { mode: 0o700 })
  await fillHost(full, 1_000_000, 1000)
  head('what', 'figure', 'target')
  await measureHost(workers['host-worker'], full, {})
} finally {
  await rm(dir, { recursive: true, force: true })
}
