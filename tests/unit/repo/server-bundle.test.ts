import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { beforeAll, expect, test, vi } from 'vitest'
import { serverBundle } from '../../../scripts/build/node-bundles'
import { freePort } from '../../../scripts/dev/free-port'
import { setupLinkIn } from '../../../scripts/seed/setup-link'
import { tempDir } from '../../support/system/temp-dir'

let outDir: string
beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'slipway-bundle-'))
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir } })
  return () => rm(outDir, { recursive: true })
})

test('the bundled server runs, and contains the table of media types once', async () => {
  const names = (await readdir(outDir)).filter((name) => name.endsWith('.js'))
  const chunks = await Promise.all(names.map((name) => readFile(join(outDir, name), 'utf8')))

  expect(chunks.join('').split('"application/vnd.android.package-archive": {').length - 1).toBe(1)
  const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'cli.js'), 'help'])
  expect(stdout).toContain('serve [')
  // One character above U+00FF makes V8 keep the whole chunk in twice the memory.
  expect(chunks.join('')).not.toMatch(/[^\0-\x7f]/)
})

test('a host that has just started loads nothing that only a bucket, PostgreSQL, the internet or a sign-in needs', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'trace.mjs'), TRACE)
  const serve = [
    'serve',
    '--host',
    '127.0.0.1',
    '--port',
    String(await freePort()),
    '--data',
    join(dir, 'data'),
  ]
  const host = spawn(process.execPath, [
    '--import',
    join(dir, 'trace.mjs'),
    join(outDir, 'cli.js'),
    ...serve,
  ])
  let printed = ''
  host.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await vi.waitUntil(() => setupLinkIn(printed) !== undefined, 30_000)
  host.kill()
  await once(host, 'close')

  const ofBucket = /(s3-calls|running-bucket)-\S+\.js/
  expect((await readdir(outDir)).filter((name) => ofBucket.test(name))).toHaveLength(3)
  expect(printed).toContain('loads file:')
  expect(printed).not.toMatch(ofBucket)
  const loaded = new Set(
    [...printed.matchAll(/loads file:\S+\/(\S+\.js)/g)].map(([, name]) => name),
  )
  const chunks = await Promise.all(
    (await readdir(outDir)).map(async (name) => ({
      name,
      text: await readFile(join(outDir, name), 'utf8'),
    })),
  )
  for (const word of [
    ...['koa.sess', 'dns-sd', 'pg_backend_pid', 'react.transitional.element', 'ssh-userauth'],
    ...['newOrder', 'CertificationRequestInfo', 'collectDefaultMetrics'],
    'CompleteMultipartUpload',
  ]) {
    const holding = chunks.filter(({ text }) => text.includes(word)).map(({ name }) => name)
    expect(holding).not.toEqual([])
    expect(holding.filter((name) => loaded.has(name))).toEqual([])
  }
  const builtIn = /^built in: (.*)$/m.exec(printed)?.[1]?.split(',')
  expect(builtIn).toContain('NativeModule http')
  expect(builtIn).not.toContain('NativeModule tls')
  expect(builtIn).not.toContain('NativeModule internal/deps/undici/undici')
})

const TRACE = `
import { registerHooks } from 'node:module'
process.on('exit', () => console.log('built in: ' + process.moduleLoadList))
registerHooks({
  load(url, context, next) {
    console.log('loads ' + url)
    return next(url, context)
  },
})
`

test('the bundle of ssh2 runs without its native parts', { timeout: 60_000 }, async () => {
  const outDir = join(await tempDir(), 'server')
  const input = { session: 'server/libraries/ssh-tunnel/ssh-session.ts' }
  const rolldownOptions = { ...serverBundle.build?.rolldownOptions, input }
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir, rolldownOptions } })
  const names = await readdir(outDir)
  const chunks = await Promise.all(names.map((name) => readFile(join(outDir, name), 'utf8')))
  expect(chunks.join('')).not.toMatch(/require\("[^"]*(\.node|cpu-features)"\)/)

  const others = names
    .filter((name) => name !== 'session.js')
    .map((name) => `import ${JSON.stringify(`./${name}`)}`)
  await writeFile(join(outDir, 'all.mjs'), `${others.join('\n')}\nconsole.log(${others.length})`)
  const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'all.mjs')])
  expect(Number(stdout)).toBeGreaterThan(0)
})

test(
  'the bundle loads the client of a bucket only when one is opened',
  { timeout: 60_000 },
  async () => {
    const outDir = join(await tempDir(), 'server')
    const input = { bucket: 'server/data/bucket/copies/bucket.ts' }
    const rolldownOptions = { ...serverBundle.build?.rolldownOptions, input }
    await build({ ...serverBundle, build: { ...serverBundle.build, outDir, rolldownOptions } })
    const loaded = await readFile(join(outDir, 'bucket.js'), 'utf8')
    expect(loaded.length).toBeLessThan(50_000)
    expect(loaded).not.toMatch(/^import .*s3-calls/m)

    await writeFile(join(outDir, 'try.mjs'), SIGN)
    const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'try.mjs')], {
      env: {},
    })
    expect(stdout).toContain('https://store.example.org/builds/slipway/some-blob?')
  },
)

const SIGN = `
import { readdirSync } from 'node:fs'
const { Bucket } = await import('./bucket.js')
const choice = { endpoint: 'https://store.example.org', region: 'auto', bucket: 'builds', prefix: 'slipway/', path_style: true }
const bucket = await Bucket.open(choice, { accessKeyId: 'id', secretAccessKey: 'secret' })
console.log(await bucket.presignUrl('some-blob', { filename: 'a.zip', type: 'application/zip', seconds: 900 }))
for (const name of readdirSync(import.meta.dirname)) if (name !== 'try.mjs') await import('./' + name)
`
