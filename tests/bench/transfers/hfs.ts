import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../scripts/dev/free-port'
import { run, stop } from './process'
import type { Subject } from './subject'

const VERSION = '0.52.9'
/** What hfs asks for by a version that not every registry has. */
const overrides = { 'typedarray.prototype.slice': '1.0.5' }

/** HFS 3, installed by npm into the user's cache folder, for downloads only; undefined where it cannot be installed. */
export async function startHfs(dir: string, files: string): Promise<Subject | undefined> {
  const program = await installed(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'slipway-bench'))
  if (program === undefined) return undefined
  const [port, cwd] = [await freePort(), join(dir, 'hfs')]
  await mkdir(cwd)
  await writeFile(join(cwd, 'config.yaml'), config(port, files))
  const child = spawn(process.execPath, [program, '--cwd', cwd], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/files`
  await answering(`${url}/small`)
  return {
    name: 'hfs',
    pid: child.pid ?? 0,
    download: (name) => `${url}/${name}`,
    upload: noUploads,
    put: noUploads,
    resume: noUploads,
    forget: async () => undefined,
    stop: () => stop(child),
  }
}

async function installed(cache: string): Promise<string | undefined> {
  const folder = join(cache, `hfs-${VERSION}`)
  const program = join(folder, 'node_modules/hfs/src/index.js')
  if (existsSync(program)) return program
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }))
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', `hfs@${VERSION}`]
  return run('npm', install).then(
    () => program,
    () => undefined,
  )
}

const config = (port: number, files: string) => `
port: ${port}
listen_interface: 127.0.0.1
open_browser_at_start: false
vfs:
  children:
    - source: ${files}
      name: files
`

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await pause(100)
  }
  throw new Error('hfs does not answer')
}

function noUploads(): never {
  throw new Error('Of hfs only downloads are measured')
}
