import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { serverBundle } from '../../../scripts/build/node-bundles'

const here = import.meta.dirname
const input = {
  'host-worker': join(here, '../library/host-worker.ts'),
  'load-worker': join(here, '../library/load-worker.ts'),
  'parse-worker': join(here, '../start/parse-worker.ts'),
}

/** Bundles the workers as the shipped server is bundled. Returns their paths. */
export async function buildWorkers(outDir: string): Promise<Record<keyof typeof input, string>> {
  const { rolldownOptions, ...options } = serverBundle.build ?? {}
  await build({
    ...serverBundle,
    build: { ...options, outDir, rolldownOptions: { ...rolldownOptions, input } },
  })
  // As beside the bundle that we ship; without it Node reads each file twice to learn what it is.
  await writeFile(join(outDir, 'package.json'), '{"type":"module"}')
  const paths = Object.keys(input).map((name) => [name, join(outDir, `${name}.js`)] as const)
  return Object.fromEntries(paths) as Record<keyof typeof input, string>
}

/** A worker in its own process under plain Node, which exchanges messages by IPC. */
export class Worker<Hello> {
  private constructor(
    private readonly child: ChildProcess,
    readonly hello: Hello,
  ) {}

  /** Resolves with the first thing that it says. */
  static async start<Hello>(script: string, ...args: string[]): Promise<Worker<Hello>> {
    const child = fork(script, args, { execArgv: [] })
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`${script} has ended with ${String(code)}`)
    })
    const [hello] = (await Promise.race([once(child, 'message'), failed])) as [Hello]
    return new Worker(child, hello)
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  async tell<Reply>(what: unknown): Promise<Reply> {
    this.child.send(what as string)
    return ((await once(this.child, 'message')) as [Reply])[0]
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }
}
