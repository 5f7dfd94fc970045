import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'vite'
import { createClient } from '../../../renderer/lib/client/api-client'
import { serverBundle } from '../../../scripts/build/node-bundles'
import { freePort } from '../../../scripts/dev/free-port'
import { setupLinkIn, setupTokenOf } from '../../../scripts/seed/setup-link'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { run, stop } from './process'
import type { Subject } from './subject'

/** Our own server; its address, and the key of the account that owns the samples. */
export interface Slipway extends Subject {
  url: string
  key: string
}

/**
 * Our server as it ships, bundled, under plain Node, on a folder of its own, with one account that has an API key: a new
 * one, or `existing` where the folder has accounts. `more`: further options of the command line.
 */
export async function startSlipway(
  dir: string,
  samples: readonly string[],
  existing?: string,
  more: readonly string[] = [],
): Promise<Slipway> {
  const [port, outDir] = [await freePort(), join(dir, 'dist')]
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir } })
  const args = ['--port', String(port), '--host', '127.0.0.1', '--data', join(dir, 'data'), '--no-rate-limits']
  const child = spawn(process.execPath, [join(outDir, 'cli.js'), ...args, ...more], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  await answering(url)
  while (existing === undefined && setupLinkIn(printed) === undefined) await pause(50)
  const { client, key } = await anAccount(url, setupLinkIn(printed), existing)
  const upload = (file: string) => ['-H', `X-API-Key: ${key}`, '-F', `file=@${file}`, `${url}/api/files/upload`]
  const ids = new Map<string, string>()
  for (const sample of samples) {
    const reply = JSON.parse(await run('curl', ['-sS', '-F', 'is_public=true', ...upload(sample)])) as {
      file_id: string
    }
    ids.set(basename(sample), reply.file_id)
  }
  return {
    name: 'slipway',
    ...{ url, key },
    pid: child.pid ?? 0,
    download: (name) => `${url}/api/files/${ids.get(name)}/download`,
    upload,
    put: (file, as = 'bench.bin') => ['-T', file, '-H', `X-API-Key: ${key}`, `${url}/api/files/upload/${as}`],
    resume: async (file) => resumeArgs(url, key, file),
    async forget() {
      const { files } = await client.files.mine({ limit: 50 })
      const left = files.filter(({ file_id, filename }) => !isPlanted(filename) && ![...ids.values()].includes(file_id))
      for (const { file_id } of left) await client.files.remove({ id: file_id })
      for (const { trash_id: id } of (await client.trash.list({})).items) await client.trash.remove({ id })
    },
    stop: () => stop(child),
  }
}

/** Creates an upload of a file, and returns a function that sends it all in one PATCH. */
async function resumeArgs(url: string, key: string, file: string): Promise<string[]> {
  const headers = { 'X-API-Key': key, 'Tus-Resumable': '1.0.0', 'Upload-Metadata': `filename ${btoa('bench.bin')}` }
  const begin = { ...headers, 'Upload-Length': String((await stat(file)).size) }
  const { headers: said } = await fetch(`${url}/api/uploads`, { method: 'POST', headers: begin })
  const turn = { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  const named = Object.entries(turn).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return ['-X', 'PATCH', '-T', file, ...named, `${url}${said.get('location')}`]
}

/** Whether a file is one of those that `fillHost` has made. */
const isPlanted = (filename: string) => filename.startsWith('build-')

/** `setupLink`: the one that an empty host prints; its first account is the host account, with the largest tier. */
export async function anAccount(url: string, setupLink?: string, existing?: string) {
  const browser = new Browser(url)
  const client = createClient(url, { fetch: browser.fetch })
  const credentials = { username: existing ?? 'bench', password: PASSWORD }
  if (existing === undefined) {
    const setup = setupLink === undefined ? {} : { setup: setupTokenOf(setupLink) }
    await client.accounts.register({ ...credentials, email: 'bench@example.com', ...setup })
  }
  await client.accounts.login(credentials)
  const { api_key: key } = await client.apiKeys.create({ name: 'bench', expires_days: 1 })
  return { client, key }
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(`${url}/api/auth/check`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await pause(100)
  }
  throw new Error('The server does not answer')
}
