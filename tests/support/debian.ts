import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export const run = promisify(execFile)

/** The lists of packages are fetched only where those at hand do not do. */
const INSTALL = `
install() { apt-get install -y --no-install-recommends "$@"; }
install "$@" || { apt-get update && install "$@"; }`

/** Installs the Debian packages of the programs (or files, by their paths) that are missing. Processes that ask at the same time take turns. */
export async function needTools(programs: Record<string, string>): Promise<void> {
  const missing = new Set<string>()
  for (const [program, pkg] of Object.entries(programs)) if (!(await isThere(program))) missing.add(pkg)
  if (missing.size === 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('flock', ['/run/lock/slipway-tests-apt', 'sh', '-c', INSTALL, 'sh', ...missing], { env })
}

const isThere = (program: string) =>
  run('sh', ['-c', program.includes('/') ? `test -e ${program}` : `command -v ${program}`]).then(
    () => true,
    () => false,
  )
