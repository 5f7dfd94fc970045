import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const CLI = join(import.meta.dirname, '../../../dist/server/cli.js')

/** The built headless host in a process of its own, which a test can kill. */
export class HostProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** `publicUrl`: the address by which its pages know it. Throws when it ends instead of listening. */
  static async start(dataDir: string, publicUrl: string): Promise<HostProcess> {
    const options = ['--port', '0', '--no-rate-limits', '--public-url', publicUrl, '--data', dataDir]
    const child = spawn(process.execPath, [CLI, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /listening on (\S+)$/.exec(line)?.[1]
      if (url !== undefined) return new HostProcess(url, child)
    }
    throw new Error('The host has ended instead of listening')
  }

  /** As a power cut would: without a word. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }
}
