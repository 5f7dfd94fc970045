import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { setupLinkIn } from '../../../scripts/seed/setup-link'
import { openNetwork } from '../../support/machines/network'
import { run } from '../../support/system/debian'
import { aKey, curlOn } from '../../support/network/curl'
import { named, noRoot } from '../../support/system/rounds'

const root = join(import.meta.dirname, '../../..')
const readme = await readFile(join(root, 'README.md'), 'utf8')
/** The blocks of commands under a heading. */
const commands = (heading: string) =>
  [
    ...(readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(
      /```sh\n(.*?)```|`(curl [^`]+)`/gs,
    ),
  ].map(([, block, line]) => block ?? line ?? '')
/** The address of the host in the examples. */
const [ADDRESS = ''] = /\d+\.\d+\.\d+\.\d+(?=:4780)/.exec(commands('Upload from CI').join('')) ?? []

/** A machine with that address, and a folder for the person at it. */
async function aMachine() {
  const network = openNetwork()
  const dir = await mkdtemp(join(tmpdir(), 'slipway-readme-'))
  onTestFinished(async () => {
    network.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  })
  const { enter } = network.host
  await run('env', [...enter, 'ip', 'addr', 'add', `${ADDRESS}/32`, 'dev', 'lo'])
  const home = {
    HOME: dir,
    XDG_DATA_HOME: undefined,
    DISPLAY: undefined,
    WAYLAND_DISPLAY: undefined,
  }
  return { enter, dir, env: { ...process.env, ...home } }
}

/** Starts a host by a printed command and returns what it prints until it listens. */
async function start(
  command: string,
  { enter, env }: Awaited<ReturnType<typeof aMachine>>,
): Promise<string> {
  const host = spawn('env', [...enter, 'bash', '-c', command], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  while (!/listening on \S+\n/.test(printed)) {
    const [chunk] = (await Promise.race([once(host.stdout, 'data'), once(host, 'exit')])) as [
      Buffer | number | null,
    ]
    if (!(chunk instanceof Buffer)) throw new Error(`It ended: ${printed}`)
    printed += chunk.toString()
  }
  return printed
}

test.skipIf(noRoot)(
  named('the README hosts without a window and uploads from CI, as printed'),
  async () => {
    const machine = await aMachine()
    const [serve = ''] = commands('Run headless')
    await start(serve, machine)
    const curl = curlOn(machine.enter)
    const base = `http://${ADDRESS}:4780`
    const key = await aKey(curl, base, machine.dir)
    await curl(
      '-H',
      `X-API-Key: ${key}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"title":"My app"}',
      `${base}/api/projects`,
    )
    await writeFile(join(machine.dir, 'app-release.apk'), 'the bytes')
    const [push = '', ...uploads] = commands('Upload from CI')
    expect(uploads).toHaveLength(2)
    const env = { ...machine.env, SLIPWAY_KEY: key, npm_config_cache: join(machine.dir, 'npm') }
    const runHere = (command: string) =>
      run('env', [...machine.enter, 'bash', '-ec', command], { cwd: machine.dir, env })

    expect((await runHere(push)).stderr).toContain('app-release.apk (9 Bytes): http')
    for (const upload of uploads) {
      const { stdout } = await runHere(upload)
      expect(JSON.parse(stdout)).toMatchObject({
        success: true,
        file: { filename: 'app-release.apk' },
      })
    }
  },
)

test.skipIf(noRoot)(
  named('the README starts the host by one command where there is no display'),
  async () => {
    const machine = await aMachine()
    const [blocks = ''] = commands('Start')

    const printed = await start(blocks.split('\n')[0] ?? '', machine)
    expect(printed).toContain('listening on http://127.0.0.1:4780')
    expect(setupLinkIn(printed)).toMatch(/^http:\/\/127\.0\.0\.1:4780\/register\?setup=[\w-]{22}$/)
  },
)
