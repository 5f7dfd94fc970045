import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import type { Host } from '../world/process'

/** What makes a step durable. One thread does it, as strace counts for each. */
const STEPS = 'fdatasync,fsync'
export const ONE_THREAD = { under: ['env', 'UV_THREADPOOL_SIZE=1'] }

/** Kills a host before its next durable step of this number. Resolves once strace watches it. */
export async function killAt(step: number, host: Host): Promise<void> {
  const inject = ['-e', `trace=${STEPS}`, '-e', `inject=${STEPS}:signal=KILL:when=${step}`]
  const attach = ['-f', '-o', '/dev/null', ...inject, '-p', String(host.process.pid)]
  const strace = spawn('env', ['strace', ...attach])
  onTestFinished(() => void strace.kill())
  await once(strace.stderr, 'data')
}
