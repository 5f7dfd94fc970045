import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { serverBundle } from '../../../scripts/build/node-bundles'
import { tempDir } from '../data/temp-dir'

/** Prints, when the process ends, which parts of Node it has loaded. */
const TELL = `data:text/javascript,process.on('exit', () => console.log(process.moduleLoadList.join('\\n')))`

test('the bundled server is ASCII, knows every type once, and loads no undici', { timeout: 60_000 }, async () => {
  const outDir = join(await tempDir(), 'server')
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir } })
  const chunks = await Promise.all((await readdir(outDir)).map((name) => readFile(join(outDir, name), 'utf8')))
  const code = chunks.join('')

  expect(code.length).toBeGreaterThan(100_000)
  expect(/[^\0-\x7f]/.exec(code)).toBeNull()
  expect(code.split('"application/vnd.android.package-archive": {').length - 1).toBe(1)

  const { stdout } = await promisify(execFile)(process.execPath, ['--import', TELL, join(outDir, 'cli.js'), 'help'])
  expect(stdout).toContain('serve [--port N]')
  expect(stdout).toMatch(/^NativeModule http$/m)
  expect(stdout).not.toContain('undici')
})
