import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { KEEPER, MARK } from '../../../scripts/test/run-processes'

/** Actions that run once this process has ended, in any way. */
export interface LastWill {
  /** Does it now. */
  execute: () => Promise<void>
  /** It need not be done any more. */
  revoke: () => void
}

/**
 * Leaves shell commands to a process of its own, which outlives ours: even after SIGKILL they put
 * away what would stay on the machine.
 */
export function lastWill(commands: string, ...args: string[]): LastWill {
  const script = `read -r revoked || {\n${commands}\n}`
  const keeper = spawn('sh', ['-c', script, 'sh', ...args], {
    env: { ...process.env, [MARK]: KEEPER },
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
