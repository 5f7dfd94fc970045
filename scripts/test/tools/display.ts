import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { foundOrInstalled, onPath } from './debian'

/** A virtual display, so that tests need no screen and take no keyboard focus. */
export type Display = { env: Record<string, string>; close: () => void } | { missing: string }

export async function openDisplay(): Promise<Display> {
  if (process.platform !== 'linux') return { env: {}, close: () => undefined }
  const xvfb = await foundOrInstalled(() => onPath('Xvfb'), 'Xvfb')
  if ('missing' in xvfb) return xvfb

  const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
  const server = spawn(xvfb.path, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const close = () => void server.kill()
  process.once('exit', close)

  const number = await Promise.race([
    once(server.stdio[3] as NodeJS.ReadableStream, 'data'),
    once(server, 'exit'),
  ])

  if (!(number[0] instanceof Buffer)) return { missing: 'Xvfb did not start' }
  return { env: { DISPLAY: `:${number[0].toString().trim()}`, WAYLAND_DISPLAY: '' }, close }
}
