import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { serverBundle } from '../../../scripts/build/node-bundles'
import { tempDir } from '../data/temp-dir'

test('the bundled server runs, and contains the table of media types once', { timeout: 60_000 }, async () => {
  const outDir = join(await tempDir(), 'server')
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir } })
  const chunks = await Promise.all((await readdir(outDir)).map((name) => readFile(join(outDir, name), 'utf8')))

  expect(chunks.join('').split('"application/vnd.android.package-archive": {').length - 1).toBe(1)
  const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'cli.js'), 'help'])
  expect(stdout).toContain('serve [--port N]')
})

test('the bundle of ssh2 runs without its native parts', { timeout: 60_000 }, async () => {
  const outDir = join(await tempDir(), 'server')
  const input = { session: 'server/network/tunnel/ssh-session.ts' }
  const rolldownOptions = { ...serverBundle.build?.rolldownOptions, input }
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir, rolldownOptions } })
  const names = await readdir(outDir)
  const chunks = await Promise.all(names.map((name) => readFile(join(outDir, name), 'utf8')))
  expect(chunks.join('')).not.toMatch(/require\("[^"]*(\.node|cpu-features)"\)/)

  const others = names.filter((name) => name !== 'session.js').map((name) => `import ${JSON.stringify(`./${name}`)}`)
  await writeFile(join(outDir, 'all.mjs'), `${others.join('\n')}\nconsole.log(${others.length})`)
  const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'all.mjs')])
  expect(Number(stdout)).toBeGreaterThan(0)
})
