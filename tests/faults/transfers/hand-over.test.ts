import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { built, until } from '../../support/world/process'
import { upload } from '../../support/world/upload'
import { clientAt, fetchAt, register } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { setupLinkIn, setupTokenOf } from '../../../scripts/seed/setup-link'
import { tempDir } from '../../support/system/temp-dir'
import { sha256 } from '../../support/system/sha256'

const LAUNCHER = join(import.meta.dirname, '../../../docs/deploy/hand-over.sh')
/**
 * Listens like systemd, and starts the program anew each time its main process has ended, beside
 * what that left.
 */
const KEEPER = `
import os, socket, sys
kept = socket.socket(); kept.bind(('127.0.0.1', 0)); kept.listen(4096)
while True:
    pid = os.fork()
    if pid == 0:
        os.dup2(kept.fileno(), 3); os.set_inheritable(3, True)
        os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
        os.execvp(sys.argv[1], sys.argv[1:])
    print('main process', pid, flush=True)
    if os.waitpid(pid, 0)[1] != 0: sys.exit(1)
`

/** A service whose port stays open while it restarts. */
class Service {
  #output = ''

  private constructor(private readonly keeper: ChildProcess) {
    keeper.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
    keeper.stderr?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
  }

  static async start(dataDir: string): Promise<Service> {
    const program = [
      LAUNCHER,
      process.execPath,
      join(built(), 'cli.js'),
      '--no-rate-limits',
      '--data',
      dataDir,
    ]
    const keeper = spawn('python3', ['-c', KEEPER, ...program], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(async () => {
      process.kill(-(keeper.pid ?? 0), 'SIGKILL')
      await once(keeper, 'close')
    })
    const service = new Service(keeper)
    await service.listensFor(1)
    return service
  }

  /** Waits until so many hosts have listened. */
  listensFor(count: number): Promise<void> {
    return until(async () => {
      if (this.keeper.exitCode !== null) throw new Error(this.#output)
      return this.#all(/listening on (\S+)/g).length >= count
    })
  }

  get place() {
    const link = setupLinkIn(this.#output)
    return { url: this.#all(/listening on (\S+)/g)[0] ?? '', setup: link && setupTokenOf(link) }
  }

  /** The host under the newest main process, which is what systemd knows. */
  get host(): number {
    return Number(execFileSync('pgrep', ['-P', this.#main()], { encoding: 'utf8' }))
  }

  /** As systemctl does: the keeper then starts the next one. */
  restart(): void {
    process.kill(Number(this.#main()), 'SIGTERM')
  }

  #main = () => this.#all(/main process (\d+)/g).at(-1) ?? ''
  #all = (pattern: RegExp) => [...this.#output.matchAll(pattern)].map(([, value = '']) => value)
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A download that has begun, and reads on when it is told to. */
async function begin(address: string) {
  const request = get(address, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // The response reports it, too.
  request.on('error', () => undefined)
  response.pause()
  /** Waits so long after each part, in ms. */
  const read = async (pauseMs: number) => {
    const hash = createHash('sha256')
    for await (const part of response) {
      hash.update(part as Buffer)
      if (pauseMs > 0) await pause(pauseMs)
    }
    return hash.digest('hex')
  }
  return { status: response.statusCode, read }
}

test('a restart under systemd refuses no request, and finishes downloads unless their file becomes private', async () => {
  const dir = await tempDir()
  const service = await Service.start(join(dir, 'data'))
  const place = await register(service.place)
  const alice = clientAt(place)
  const bytes = Buffer.alloc(rounds(900, 24) * 1_000_000, 'a build ')
  const add = (name: string, content: Buffer<ArrayBuffer>) =>
    upload(fetchAt(place), new File([content], name), { is_public: 'true' })
  const [kept, withdrawn] = [
    await add('kept.apk', bytes),
    await add('withdrawn.apk', bytes.subarray(0, 24_000_000)),
  ]
  const download = (id: string) => begin(`${place.url}/api/files/public/alice/${id}/download`)
  const running = [await download(kept.file_id), await download(withdrawn.file_id)] as const
  const before = service.host

  const statuses: Promise<number | string | undefined>[] = []
  const visitors = setInterval(() => {
    const visit = async () => (await begin(`${place.url}/api/health`)).status
    statuses.push(visit().catch(String))
  }, 5)
  service.restart()
  await service.listensFor(2)
  await pause(200)
  clearInterval(visitors)
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
  expect(service.host).not.toBe(before)
  expect(isRunning(before)).toBe(true)

  await alice.files.setVisibility({ id: withdrawn.file_id, is_public: false })
  await expect(running[1].read(20)).rejects.toThrow('aborted')
  expect(await running[0].read(0)).toBe(sha256(bytes))
  await until(async () => !isRunning(before))
  expect((await alice.files.info({ id: kept.file_id })).file.downloads).toBe(1)
})
