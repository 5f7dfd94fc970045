import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Browser, type ElectronApplication } from 'playwright/test'
import { electronPath, launch } from '../desktop/app/launch'
import type { Machine } from '../internet/namespaces'

/** Opens the app on a machine of the test network. `folder` takes the script that does it. */
export async function launchOn(machine: Machine, folder: string): Promise<ElectronApplication> {
  const dataDir = join(folder, 'data')
  if (machine.enter.length === 0) return launch(dataDir)
  const relay = [process.execPath, fileURLToPath(import.meta.resolve('../desktop/relay.ts'))]
  const executablePath = await script(folder, 'electron', [
    ...relay,
    ...machine.enter,
    '--',
    electronPath(),
  ])
  return launch(dataDir, { executablePath })
}

/** Opens a browser on a machine of the test network. */
export async function browserOn(machine: Machine, folder: string): Promise<Browser> {
  const { SLIPWAY_CHROMIUM: path = chromium.executablePath() } = process.env
  const executablePath =
    machine.enter.length === 0 ? path : await script(folder, 'chromium', [...machine.enter, path])
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

/** Runs a command on a machine of the test network and returns what it prints. */
export async function runOn(
  machine: Machine,
  command: string,
  args: readonly string[],
): Promise<string> {
  const [first = '', ...rest] = [...machine.enter, command, ...args]
  return (await promisify(execFile)(first, rest)).stdout
}

/** Playwright starts an executable, not a command line. */
async function script(folder: string, name: string, words: readonly string[]): Promise<string> {
  const path = join(folder, name)
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  await writeFile(path, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`)
  await chmod(path, 0o755)
  return path
}
