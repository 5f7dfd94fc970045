import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, findNode } from './node.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'
import { step } from './step.mjs'

const sources = [
  ...['server', 'cli', 'main', 'preload', 'renderer', 'assets', 'scripts/build'],
  // What each host serves at /guide.
  ...['docs/guide', '.github/actions'],
]
const settings = [
  'docs/deploy.md',
  'vite.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
const stamp = join(root, 'dist/.sources')

/** Builds dist/ when a source differs from what the last build read, or when `force` is set. */
export async function build({ force = false } = {}) {
  const current = fingerprint()
  if (!force && lastBuild() === current) return
  rmSync(stamp, { force: true })
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  // Another value would build development pages, and fail.
  const env = { ...environment(), NODE_ENV: 'production' }
  const code = await step(2, 'Building', () =>
    run(findNode(), [tsx, 'scripts/build/bundle.ts'], { cwd: root, env }),
  )
  if (code !== 0) throw new Error('The build failed.')
  writeFileSync(stamp, current)
}

function lastBuild() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}

/** One hash over the names and contents of all that a build reads. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const file of [...sources.flatMap(filesIn), ...settings].sort()) {
    const path = join(root, file)
    if (existsSync(path)) hash.update(`${file}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}
