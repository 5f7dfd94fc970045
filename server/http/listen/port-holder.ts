import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'

/** Timeout for the system's answer, in ms. */
const PATIENCE_MS = 3000

/** A program that listens on a port. */
export interface PortHolder {
  name: string
  pid: number
}

/** Finds the program that listens on a port of this machine; undefined: unknown, for example another user's. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  try {
    if (process.platform === 'linux') return await onLinux(port)
    return process.platform === 'win32' ? await onWindows(port) : await onMac(port)
  } catch {
    return undefined
  }
}

/** `nginx (process 123)`, or a generic text. */
export const holderText = (holder: PortHolder | undefined): string =>
  holder === undefined ? 'another program' : `${holder.name} (process ${holder.pid})`

/** Finds the socket inodes (proc_net_tcp(5)), then the process that has one open. */
async function onLinux(port: number): Promise<PortHolder | undefined> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => ''))
  const sockets = new Set((await Promise.all(tables)).flatMap((table) => listeningSockets(table, port)))
  if (sockets.size === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (await holdsOneOf(pid, sockets)) return { name: await programOf(pid), pid: Number(pid) }
  }
  return undefined
}

/** Parses the inodes of listening sockets from `/proc/net/tcp`. */
export function listeningSockets(table: string, port: number): string[] {
  const LISTEN = '0A'
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    return state === LISTEN && parseInt(local.split(':')[1] ?? '', 16) === port ? [inode] : []
  })
}

async function holdsOneOf(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  // Fails for processes of other users and for ended ones.
  const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
  for (const file of files) {
    const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '')
    if (sockets.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')) return true
  }
  return false
}

async function programOf(pid: string): Promise<string> {
  const path = await readlink(`/proc/${pid}/exe`).catch(() => undefined)
  return path === undefined ? (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() : basename(path)
}

async function onMac(port: number): Promise<PortHolder | undefined> {
  return inLsof(await output('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']))
}

/** Parses `lsof -F`: one letter and its value per line. */
export function inLsof(text: string): PortHolder | undefined {
  const pid = /^p(\d+)$/m.exec(text)?.[1]
  const name = /^c(.+)$/m.exec(text)?.[1]
  return pid === undefined || name === undefined ? undefined : { name, pid: Number(pid) }
}

async function onWindows(port: number): Promise<PortHolder | undefined> {
  const pid = inNetstat(await output('netstat', ['-ano', '-p', 'TCP']), port)
  if (pid === undefined) return undefined
  const list = await output('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])
  const name = /^"([^"]+)","\d+"/m.exec(list)?.[1]
  return name === undefined ? undefined : { name, pid }
}

/** Parses `TCP 0.0.0.0:4780 0.0.0.0:0 LISTENING 1234`. The state is localized, so match the peer `:0`. */
export function inNetstat(text: string, port: number): number | undefined {
  for (const line of text.split('\n')) {
    const [protocol, local = '', peer = '', , pid] = line.trim().split(/\s+/)
    if (protocol === 'TCP' && local.endsWith(`:${port}`) && /:0$/.test(peer)) return Number(pid)
  }
  return undefined
}

async function output(program: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { timeout: PATIENCE_MS, windowsHide: true })).stdout
}
