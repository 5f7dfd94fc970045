import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** `npm run bench [name …]`: runs the measurements of tests/bench one after another, all or those named. */
const root = join(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
const files = (await readdir(join(root, 'tests/bench'))).filter((file) => file.endsWith('.bench.ts')).sort()

for (const file of files) {
  const name = file.replace('.bench.ts', '')
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const { status } = spawnSync(process.execPath, [tsx, join('tests/bench', file)], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
