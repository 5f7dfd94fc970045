import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { keepSection } from './bench/page'

/**
 * `npm run bench [name …]`: runs the named benchmarks of tests/bench, or all. Their Markdown
 * output replaces their section of docs/benchmarks.md, unless a run was shortened (BENCH_…) or
 * failed.
 */
const root = join(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
const files = (await readdir(join(root, 'tests/bench')))
  .filter((file) => file.endsWith('.bench.ts'))
  .sort()
const isWhole = !Object.keys(process.env).some((name) => name.startsWith('BENCH_'))

for (const file of files) {
  const name = file.replace('.bench.ts', '')
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n## ${name}\n`)
  const { code, output } = await run(join('tests/bench', file))
  if (code !== 0) process.exitCode = 1
  else if (isWhole) await keepSection(join(root, 'docs/benchmarks.md'), name, output, new Date())
}

async function run(script: string): Promise<{ code: number | null; output: string }> {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const child = spawn(process.execPath, [tsx, script], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
  })

  child.stdout.pipe(process.stdout, { end: false })
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, output }
}
