import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { built, Host } from '../../support/world/process'
import { clientAt, type Place, register, startHost } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

/** The command as the host serves it. */
export const command = () => join(built(), '../renderer/cli.mjs')

interface Ending {
  code: number
  stdout: string
  stderr: string
}

/** A host, and the command for it. */
export interface Publishing {
  host: Host
  place: Place
  folder: string
  /** Runs the command with the key of alice. */
  slipway: (args: readonly string[], node?: string) => Running
}

/** A run of the command. */
export class Running {
  stdout = ''
  stderr = ''
  readonly child

  constructor(program: string, args: readonly string[], env: Record<string, string>, cwd: string) {
    this.child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout.on('data', (bytes: Buffer) => (this.stdout += bytes.toString()))
    this.child.stderr.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()))
  }

  async ended(): Promise<Ending> {
    const [code] = (await once(this.child, 'close')) as [number]
    return { code, stdout: this.stdout, stderr: this.stderr }
  }
}

/** A host with alice and her public project Rocket. `settings`: what its `settings.json` says. */
export async function aWorld(settings: object = {}): Promise<Publishing> {
  const folder = await tempDir()
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  await writeFile(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
  const host = await startHost(data)
  const place = await register(host)
  await clientAt(place).projects.create({ title: 'Rocket', is_public: true })
  const env = { SLIPWAY_URL: host.url, SLIPWAY_KEY: place.key }
  return {
    host,
    place,
    folder,
    slipway: (args, node = process.execPath) =>
      new Running(node, [command(), ...args], env, folder),
  }
}
