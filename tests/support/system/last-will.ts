import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Actions that run once this process has ended, in any way. */
export interface LastWill {
  /** Does it now. */
  execute: () => Promise<void>
  /** It need not be done any more. */
  revoke: () => void
}

/**
 * Leaves shell commands to a process of its own, which outlives ours: even after SIGKILL they put away what would stay
 * on the machine.
 */
export function lastWill(commands: string, ...args: string[]): LastWill {
  const script = `read -r revoked || {\n${commands}\n}`
  const keeper = spawn('sh', ['-c', script, 'sh', ...args], {
    // Without the mark by which scripts/test/tool.ts ends leftover processes of a run.
    env: { ...process.env, SLIPWAY_TEST_RUN: undefined },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keeper.unref()
  const done = once(keeper, 'exit')
  return {
    execute: async () => {
      keeper.stdin.end()
      await done
    },
    revoke: () => void keeper.stdin.end('revoked\n'),
  }
}
