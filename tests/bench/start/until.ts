import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../support/figures'
import { cpuSeconds, residentMib } from '../../support/machines/process'

export interface Program {
  command: string
  args: readonly string[]
  env?: Record<string, string>
  /** Its output once it has started. */
  says: string
}

/** After its line a program still has to listen to signals. */
const SETTLED_MS = 100

interface Start {
  /** From spawn to that line, in ms. */
  ms: number
  /** CPU time until that line, in ms. */
  cpu: number
  /** Resident memory after the time to settle, in MiB. */
  rss: number
}

/** Starts a program, waits for its line, and ends it in order. */
async function start({ command, args, env, says }: Program, settledMs: number): Promise<Start> {
  const from = performance.now()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'exit')
  let printed = ''
  for await (const chunk of child.stdout) if ((printed += String(chunk)).includes(says)) break
  const ms = performance.now() - from
  const cpu = (await cpuSeconds(child.pid ?? 0)) * 1000
  if (!printed.includes(says))
    throw new Error(`${command} ${args.join(' ')} has ended and printed only: ${printed}`)
  await pause(settledMs)
  const rss = await residentMib(child.pid ?? 0)
  // Node writes its compile cache when it exits, so SIGKILL would make every start the first one.
  child.kill('SIGTERM')
  await ended
  return { ms, cpu, rss }
}

/**
 * Starts programs in turns, each once to warm up and then `rounds` times. Returns the median of
 * each.
 */
export async function startInTurns<Name extends string>(
  programs: Record<Name, Program>,
  rounds: number,
  settledMs = SETTLED_MS,
): Promise<Record<Name, Start>> {
  const named = Object.entries<Program>(programs) as [Name, Program][]
  const starts = new Map<Name, Start[]>(named.map(([name]) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, program] of named) {
      const took = await start(program, settledMs)
      if (round >= 0) starts.get(name)?.push(took)
    }
  }
  const median = (of: Start[], key: keyof Start) =>
    percentile(
      of.map((one) => one[key]),
      50,
    )
  const medians = [...starts].map(
    ([name, of]) =>
      [name, { ms: median(of, 'ms'), cpu: median(of, 'cpu'), rss: median(of, 'rss') }] as const,
  )
  return Object.fromEntries(medians) as Record<Name, Start>
}
