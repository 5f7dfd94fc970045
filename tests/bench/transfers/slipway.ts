import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'vite'
import { createClient } from '../../../renderer/lib/api-client'
import { serverBundle } from '../../../scripts/build/node-bundles'
import { freePort } from '../../../scripts/dev/free-port'
import { Browser } from '../../support/browser'
import { run, stop } from './process'
import type { Subject } from './subject'

/** Our server as it ships, bundled, under plain Node, on a folder of its own, with one account that has an API key. */
export async function startSlipway(dir: string, samples: readonly string[]): Promise<Subject> {
  const [port, outDir] = [await freePort(), join(dir, 'dist')]
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir } })
  const args = ['--port', String(port), '--host', '127.0.0.1', '--data', join(dir, 'data'), '--no-rate-limits']
  const child = spawn(process.execPath, [join(outDir, 'cli.js'), ...args], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await answering(url)
  const { client, key } = await anAccount(url)
  const upload = (file: string) => ['-H', `X-API-Key: ${key}`, '-F', `file=@${file}`, `${url}/api/files/upload`]
  const ids = new Map<string, string>()
  for (const sample of samples) {
    const reply = JSON.parse(await run('curl', ['-sS', '-F', 'is_public=true', ...upload(sample)])) as {
      file_id: string
    }
    ids.set(sample, reply.file_id)
  }
  return {
    name: 'slipway',
    pid: child.pid ?? 0,
    download: (name) => `${url}/api/files/${ids.get(join(dir, name))}/download`,
    upload,
    async forget() {
      const { files } = await client.files.mine({})
      for (const { file_id } of files)
        if (![...ids.values()].includes(file_id)) await client.files.remove({ id: file_id })
      for (const { trash_id: id } of (await client.trash.list({})).items) await client.trash.remove({ id })
    },
    stop: () => stop(child),
  }
}

async function anAccount(url: string) {
  const browser = new Browser(url)
  const client = createClient(url, { fetch: browser.fetch })
  await client.accounts.register({ username: 'bench', email: 'bench@example.com', password: 'correct horse' })
  await client.accounts.login({ username: 'bench', password: 'correct horse' })
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
