import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { setupLinkIn } from '../../../scripts/seed/setup-link'
import { openNetwork } from '../../support/machines/network'
import { named, noRoot } from '../../support/system/rounds'

const root = join(import.meta.dirname, '../../..')
const readme = await readFile(join(root, 'README.md'), 'utf8')
/** The blocks of commands under a heading. */
const commands = (heading: string) =>
  [
    ...(readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/```sh\n(.*?)```/gs),
  ].map(([, block = '']) => block)
/** A machine, and a folder for the person at it. */
async function aMachine() {
  const network = openNetwork()
  const dir = await mkdtemp(join(tmpdir(), 'slipway-readme-'))
  onTestFinished(async () => {
    network.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  })
  const { enter } = network.host
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
  named('the README starts the host by one command where there is no display'),
  async () => {
    const machine = await aMachine()
    const [blocks = ''] = commands('Start from source')

    const printed = await start(blocks.split('\n')[0] ?? '', machine)
    expect(printed).toContain('listening on http://127.0.0.1:4780')
    expect(setupLinkIn(printed)).toMatch(/^http:\/\/127\.0\.0\.1:4780\/register\?setup=[\w-]{22}$/)
  },
)
