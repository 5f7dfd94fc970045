import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../../../scripts/dev/free-port'
import { issue, makeAuthority } from '../../../../server/libraries/certificates/certificate'
import { unpacked } from '../../../support/system/debian'
import { NUMBER } from '../../../support/network/outside'
import { until } from '../../../support/world/process'

const SHIPPED = join(import.meta.dirname, '../../../../docs/deploy')

/** Where the proxy listens, and the host behind it. */
interface Places {
  dir: string
  plain: number
  secure: number
  host: number
}

interface Program {
  /** The configuration that we ship. */
  shipped: string
  /** What differs in a test: each must occur. */
  changes: (places: Places) => (readonly [string, string])[]
  /** Around the shipped text. */
  around?: (text: string, dir: string) => string
  command: (path: string, dir: string) => Promise<{ words: string[]; env: Record<string, string> }>
}

const programs = {
  nginx: {
    shipped: 'nginx.conf',
    changes: ({ dir, plain, secure, host }) => [
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`],
      ['listen [::]:443 ssl;', ''],
      ['/etc/letsencrypt/live/builds.example/fullchain.pem', join(dir, 'chain.pem')],
      ['/etc/letsencrypt/live/builds.example/privkey.pem', join(dir, 'key.pem')],
      ['127.0.0.1:4780;', `127.0.0.1:${host};`],
    ],
    around: (text, dir) => `${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off; pid ${dir}/pid; error_log ${dir}/error.log; events {}
      http {
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${dir}/${it};`).join('\n')}
        ${text}
      }`,
    async command(path, dir) {
      const { nginx } = await unpacked('nginx')
      return {
        words: [nginx.file('usr/sbin/nginx'), '-p', dir, '-e', join(dir, 'error.log'), '-c', path],
        env: nginx.env,
      }
    },
  },
  HAProxy: {
    shipped: 'haproxy.cfg',
    changes: ({ dir, plain, secure, host }) => [
      ['bind :80\n', `bind 127.0.0.1:${plain}\n`],
      ['bind :443 ', `bind 127.0.0.1:${secure} `],
      ['/etc/haproxy/builds.example.pem', join(dir, 'both.pem')],
      ['server host 127.0.0.1:4780', `server host 127.0.0.1:${host}`],
    ],
    async command(path) {
      const { haproxy } = await unpacked('haproxy')
      return { words: [haproxy.file('usr/sbin/haproxy'), '-db', '-f', path], env: haproxy.env }
    },
  },
  Caddy: {
    shipped: 'Caddyfile',
    changes: ({ dir, secure, host }) => [
      [
        '\nbuilds.example {',
        `\nhttps://${NUMBER}:${secure} {\n\ttls ${dir}/chain.pem ${dir}/key.pem`,
      ],
      ['reverse_proxy 127.0.0.1:4780', `reverse_proxy 127.0.0.1:${host}`],
    ],
    around: (text, dir) =>
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_sni ${NUMBER}\n\tstorage file_system ${dir}\n}\n${text}`,
    async command(path) {
      const { caddy } = await unpacked('caddy')
      return {
        words: [caddy.file('usr/bin/caddy'), 'run', '--adapter', 'caddyfile', '--config', path],
        env: caddy.env,
      }
    },
  },
} satisfies Record<string, Program>

export type ProxyName = keyof typeof programs

/** A proxy with our shipped configuration in front of a host. */
export interface ReverseProxy {
  plain: number
  secure: number
  /** The authority of its certificate, as PEM. */
  ca: string
  /** What it stores while it passes on requests. */
  folder: string
  stop: () => Promise<void>
}

/**
 * Starts Debian's program with the configuration in docs/deploy, moved to free ports. Throws with
 * its words.
 */
export async function startProxy(
  name: ProxyName,
  dir: string,
  host: number,
): Promise<ReverseProxy> {
  const program: Program = programs[name]
  const folder = join(dir, 'proxy')
  await mkdir(folder)
  const places = { dir: folder, plain: await freePort(), secure: await freePort(), host }
  const ca = await writeCertificate(folder)
  let text = await readFile(join(SHIPPED, program.shipped), 'utf8')
  for (const [from, to] of program.changes(places)) {
    if (text.split(from).length !== 2)
      throw new Error(`${program.shipped} should have ${from} once`)
    text = text.replace(from, to)
  }
  const path = join(folder, program.shipped)
  await writeFile(path, program.around?.(text, folder) ?? text)
  const { words, env } = await program.command(path, folder)
  const [file = '', ...args] = words
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit').then(() => true)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`)
    return answers(places.secure)
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { plain: places.plain, secure: places.secure, ca, folder, stop }
}

async function writeCertificate(dir: string): Promise<string> {
  const names = { names: [], addresses: [NUMBER] }
  const authority = makeAuthority({ ...names, names: ['the world'] }, new Date())
  const { certificate, key } = issue(authority, names, new Date())
  await writeFile(join(dir, 'chain.pem'), certificate)
  await writeFile(join(dir, 'key.pem'), key)
  await writeFile(join(dir, 'both.pem'), certificate + key)
  return authority.certificate
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
