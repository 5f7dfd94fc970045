import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export const run = promisify(execFile)

/** Brings Debian packages whose program, or file where it is a path, is missing. */
export async function needTools(programs: Record<string, string>): Promise<void> {
  const missing: string[] = []
  for (const [program, pkg] of Object.entries(programs)) if (!(await isThere(program))) missing.push(pkg)
  if (missing.length === 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env })
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...new Set(missing)], { env })
}

const isThere = (program: string) =>
  run('sh', ['-c', program.includes('/') ? `test -e ${program}` : `command -v ${program}`]).then(
    () => true,
    () => false,
  )
