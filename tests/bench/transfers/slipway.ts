import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { createClient } from '../../support/network/client'
import { setupTokenOf } from '../../../scripts/seed/setup-link'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { startHost, type Build, type Host } from '../support/host'
import { run } from '../../support/machines/process'
import type { Subject } from './subject'

/** A running build; the key is that of the account that owns the samples. */
export interface Slipway extends Subject, Host {
  key: string
  /** The arguments of curl for uploading a file. */
  upload: (file: string) => string[]
  /** The same for the bytes as they are, under another name where one is given. */
  put: (file: string, as?: string) => string[]
  /** The same for the only request of a resumable upload, which is created here. */
  resume: (file: string) => Promise<string[]>
  /** Removes the files of the uploads since. */
  forget: () => Promise<void>
}

interface Content {
  /** Public files, which it gets by an upload. */
  samples?: readonly string[]
  /** An account that its data folder has; otherwise it gets one. */
  account?: string
  /** More options of the command line. */
  args?: readonly string[]
}

/** Starts a build on a data folder, with one account that has an API key. */
export async function startSlipway(
  build: Build,
  data: string,
  content: Content = {},
): Promise<Slipway> {
  const { samples = [], account, args = [] } = content
  const host = await startHost(build, data, { args })
  const { url } = host
  const { client, key } = await anAccount(url, host.setupLink, account)
  const upload = (file: string) => [
    '-H',
    `X-API-Key: ${key}`,
    '-F',
    `file=@${file}`,
    `${url}/api/files/upload`,
  ]
  const ids = new Map<string, string>()
  for (const sample of samples) {
    const reply = JSON.parse(
      await run('curl', ['-sS', '-F', 'is_public=true', ...upload(sample)]),
    ) as {
      file_id: string
    }
    ids.set(basename(sample), reply.file_id)
  }
  return {
    ...host,
    name: build.name,
    key,
    download: (name) => `${url}/api/files/${ids.get(name)}/download`,
    upload,
    put: (file, as = 'bench.bin') => [
      '-T',
      file,
      '-H',
      `X-API-Key: ${key}`,
      `${url}/api/files/upload/${as}`,
    ],
    resume: async (file) => resumeArgs(url, key, file),
    forget: async () => {
      const { files } = await client.files.mine({ limit: 50 })
      const left = files.filter(
        ({ file_id, filename }) => !isPlanted(filename) && ![...ids.values()].includes(file_id),
      )
      for (const { file_id } of left) await client.files.remove({ id: file_id })
      for (const { trash_id: id } of (await client.trash.list({})).items)
        await client.trash.remove({ id })
    },
  }
}

/** Creates an upload of a file, and returns how curl sends it all in one PATCH. */
async function resumeArgs(url: string, key: string, file: string): Promise<string[]> {
  const headers = {
    'X-API-Key': key,
    'Tus-Resumable': '1.0.0',
    'Upload-Metadata': `filename ${btoa('bench.bin')}`,
  }
  const begin = { ...headers, 'Upload-Length': String((await stat(file)).size) }
  const { headers: said } = await fetch(`${url}/api/uploads`, { method: 'POST', headers: begin })
  const turn = {
    ...headers,
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  }
  const named = Object.entries(turn).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return ['-X', 'PATCH', '-T', file, ...named, `${url}${said.get('location')}`]
}

/** Whether a file is one of those that `fillHost` has made. */
const isPlanted = (filename: string) => filename.startsWith('build-')

/**
 * `setupLink`: the one that an empty host prints; its first account is the host account, with the
 * largest tier.
 */
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
