import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** What changes the names on a disk. */
const changes = ['open', 'rename', 'link', 'mkdir', 'rm', 'rmdir'] as const

/**
 * Moves a data folder in a process of its own, which ends itself by SIGKILL at its n-th step on the
 * disk; where it has fewer, it comes to its end and says how many there were.
 */
async function main(homeDir: string, to: string, shares: boolean, last: number): Promise<void> {
  let steps = 0
  for (const name of changes) {
    const real = fs[name] as (...args: unknown[]) => unknown
    const counting = (...args: unknown[]) => {
      if (++steps === last) process.kill(process.pid, 'SIGKILL')
      return real.apply(fs, args)
    }
    Object.assign(fs, { [name]: counting })
  }
  syncBuiltinESMExports()
  const { FolderMove } = await import('../../../server/data/folder/move/folder-move')
  const move = new FolderMove({ homeDir, from: homeDir, plan: { to, shares } })
  await move.prepare()
  await move.complete()
  process.stdout.write(String(steps))
}

const [homeDir = '', to = '', shares = '', last = ''] = process.argv.slice(2)
await main(homeDir, to, shares === 'shares', Number(last))
