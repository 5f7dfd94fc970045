import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpacked } from '../system/debian'

const SHIPPED = join(import.meta.dirname, '../../../docs/deploy/haproxy-cluster.cfg')
const INSTALLED = '/usr/sbin/haproxy'
/** Where HAProxy finds the socket that listens for it. */
const PASSED = 3

/** HAProxy in front of hosts. */
export interface Balancer {
  url: string
  close: () => Promise<void>
}

interface BalancerOptions {
  /** See `listenForBalancer`; otherwise a free port. */
  at?: Server
  /**
   * Whether it tells hosts who asks, which believe it with `--trust-proxy 127.0.0.1`; otherwise
   * hosts see it alone.
   */
  forwards?: boolean
  /**
   * Whether changes go to the primary, as shipped; otherwise each request goes to any host at
   * random.
   */
  findsPrimary?: boolean
}

/** On each reply, with `findsPrimary`: the backend and the host that it came from. */
export const FROM_HEADER = 'x-from'

/**
 * Listens at loopback until HAProxy takes over: meanwhile another test could take the port, and
 * answer for it.
 */
export async function listenForBalancer(port = 0): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/**
 * Starts Debian's HAProxy with docs/deploy/haproxy-cluster.cfg, moved to loopback and without TLS.
 * `hosts`: the ports of three. Throws with its words.
 */
export async function startBalancer(
  hosts: readonly number[],
  options: BalancerOptions = {},
): Promise<Balancer> {
  const at = options.at ?? (await listenForBalancer())
  const port = portOf(at)
  const dir = await mkdtemp(join(tmpdir(), 'slipway-haproxy-'))
  const path = join(dir, 'haproxy.cfg')
  await writeFile(path, await configFor(hosts, { ...options, port }))
  const { program, env } = await findProgram()
  // It ends with this process, however that ends.
  const words = ['--pdeathsig', 'KILL', program, '-db', '-f', path]
  const { fd } = (at as Server & { _handle: { fd: number } })._handle
  const child = spawn('setpriv', words, { env, stdio: ['ignore', 'pipe', 'pipe', fd] })
  at.close()
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const close = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(dir, { recursive: true, force: true })
  }
  if (!(await Promise.race([answers(port), ended.then(() => false)]))) {
    await close()
    throw new Error(`HAProxy does not answer: ${said}`)
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** The configuration that we ship, with what must differ in a test: each part must occur. */
async function configFor(
  hosts: readonly number[],
  { port, forwards = false, findsPrimary = false }: BalancerOptions & { port: number },
): Promise<string> {
  let text = await readFile(SHIPPED, 'utf8')
  const change = (from: RegExp, to: string) => {
    if (!from.test(text)) throw new Error(`haproxy-cluster.cfg should have ${from}`)
    text = text.replace(from, to)
  }
  change(/^frontend plain\n( .*\n)+/m, '')
  change(/^ {2}bind :443 .*$/m, `  bind fd@${PASSED}`)
  change(/X-Forwarded-Proto https/, 'X-Forwarded-Proto http')
  if (findsPrimary) {
    change(
      /^ {2}default_backend/m,
      `  http-response set-header ${FROM_HEADER} %b/%s\n  default_backend`,
    )
  } else {
    change(/^ {2}use_backend primary .*\n/m, '')
    change(/^backend primary\n( .*\n)+/m, '')
  }
  if (!forwards)
    change(/^ {2}option forwardfor\n( {2}http-request set-header X-Forwarded-.*\n)+/m, '')
  change(/hdr Host localhost:4780/g, `hdr Host localhost:${port}`)
  for (const [index, own] of hosts.entries())
    change(new RegExp(`10\\.47\\.0\\.${index + 11}:4780`, 'g'), `127.0.0.1:${own}`)
  // A test may ask one of them.
  const chosen = hosts.map(
    (_, index) => `  use-server host-${'abc'[index]} if { req.hdr(test-host) ${index} }\n`,
  )
  change(/^( {2}default-server check .*\n)/m, `$1${chosen.join('')}`)
  return text
}

/** The one installed here, else the one unpacked from Debian's package. */
async function findProgram(): Promise<{ program: string; env: NodeJS.ProcessEnv }> {
  if (existsSync(INSTALLED)) return { program: INSTALLED, env: process.env }
  const { haproxy } = await unpacked('haproxy')
  return { program: haproxy.file('usr/sbin/haproxy'), env: { ...process.env, ...haproxy.env } }
}

/** It refuses by itself what is no request. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  socket.write('-\r\n\r\n')
  return once(socket, 'data')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
