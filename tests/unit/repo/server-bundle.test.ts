import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
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
  const dir = await tempDir()
  const outDir = join(dir, 'server')
  const input = { key: 'server/network/tunnel/tunnel-key.ts', disk: 'server/data/durable-file.ts' }
  await build({
    ...serverBundle,
    build: { ...serverBundle.build, outDir, rolldownOptions: { ...serverBundle.build?.rolldownOptions, input } },
  })
  const chunks = await Promise.all((await readdir(outDir)).map((name) => readFile(join(outDir, name), 'utf8')))

  expect(chunks.join('')).not.toMatch(/require\("[^"]*(\.node|cpu-features)"\)/)
  const script = `
    const { tunnelKey } = await import(${JSON.stringify(join(outDir, 'key.js'))})
    const { realDisk } = await import(${JSON.stringify(join(outDir, 'disk.js'))})
    console.log((await tunnelKey(${JSON.stringify(dir)}, realDisk)).publicLine)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toMatch(/^ssh-ed25519 /)
})
