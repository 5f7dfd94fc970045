import { spawn } from 'node:child_process'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import {
  CancellationToken,
  configureRequestOptionsFromUrl,
  HttpExecutor,
} from 'builder-util-runtime'
import { beforeAll, describe, expect } from 'vitest'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import { bytes, redirectingTest } from '../../support/bucket/redirecting'
import { aFile } from '../../support/world/factories'
import { electronUpdater } from '../../support/network/updater'
import { needTools, run } from '../../support/system/debian'

let engine: Engine
beforeAll(async () => {
  await needTools('curl', 'wget')
  engine = await sharedEngine()
})

/** Also the client's folder, and the file that it saves. */
const test = redirectingTest(() => engine).extend<{ saved: string }>({
  saved: async ({ folder }, use) => {
    await mkdir(join(folder, 'client'))
    await use(join(folder, 'client', 'saved'))
  },
})

const isWhole = async (path: string) => (await readFile(path)).equals(bytes)

/** What the bucket has sent of a file, as `{status} {Range}`. */
const requestsAt = async (blobId: string) =>
  (await engine.requests())
    .filter((line) => line.includes(blobId) && line.includes('GET'))
    .map((line) =>
      `${/"http_status":"?(\d+)/.exec(line)?.[1]} ${/bytes=[\d-]+/.exec(line)?.[0] ?? ''}`.trim(),
    )

/** Starts a client slow enough not to finish, and kills it as soon as it has saved some bytes. */
async function killedEarly(program: string, args: string[], saved: string): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await expect
    .poll(async () => (await stat(saved).catch(() => ({ size: 0 }))).size, { interval: 2 })
    .toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
}

describe.skipIf(noEngine)(withEngine('clients follow the redirect'), () => {
  test.for<[string, string[], string[]]>([
    ['curl -C -', ['-sL', '--limit-rate', '2M', '-o'], ['-sSL', '-C', '-', '-o']],
    ['wget -c', ['-q', '--limit-rate=2m', '-O'], ['-q', '-c', '-O']],
  ])(
    '%s resumes: same bytes, counted once',
    async ([name, begins, resumes], { server, copied, saved }) => {
      const program = name.split(' ')[0] ?? ''
      const url = copied.url + copied.path
      const blobId = server.inside.files.find(copied.fileId)!.blobId
      await killedEarly(program, [...begins, saved, url], saved)
      const { size } = await stat(saved)
      await run(program, [...resumes, saved, url])

      expect(await isWhole(saved)).toBe(true)
      // The engine logs a request some time after its end, and the killed one maybe last.
      await expect.poll(() => requestsAt(blobId)).toContain(`206 bytes=${size}-`)
      expect(copied.downloads()).toBe(1)
      expect(server.inside.transfers.totals().downloads).toBe(0)
    },
  )

  test('electron-updater verifies an update from the bucket', async ({ server, copied, saved }) => {
    const alice = server.user('alice')
    const release = { project_id: 'rocket', version: '1.1.0', is_public: true }
    await aFile(server, alice, { filename: 'Rocket-1.1.0.exe', bytes, ...release })
    await expect
      .poll(() => server.inside.publicCopies.view().copies)
      .toMatchObject({ wanted: 2, there: 2 })
    const updater = electronUpdater(`${copied.url}/p/rocket/feeds/electron`, 'win32')
    const { files } = await updater.latest()
    await new NodeExecutor().save(
      new URL(await updater.chosen('exe')),
      saved,
      files[0]?.sha512 ?? '',
    )

    expect(await isWhole(saved)).toBe(true)
    const { month } = server.inside.publicCopies.view()
    expect([month.redirects, month.redirected_bytes]).toEqual([1, bytes.length])
  })

  test('an API key or session gets the file itself', async ({ server, copied, saved }) => {
    const alice = server.user('alice')
    const key = await server.keyOf(alice)
    const { browser } = await server.signedIn(alice)
    const session = browser.cookie
    await run('curl', ['-sSL', '-H', `X-API-Key: ${key}`, '-o', saved, copied.url + copied.path])
    const response = await fetch(copied.url + copied.path, { headers: { 'x-api-key': key } })

    expect(await isWhole(saved)).toBe(true)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    await run('curl', ['-sSL', '-b', session, '-o', saved, copied.url + copied.path])
    await (await fetch(copied.url + copied.path)).arrayBuffer()
    const blobId = server.inside.files.find(copied.fileId)!.blobId
    await expect.poll(() => requestsAt(blobId)).toHaveLength(1)
    const { bucket } = await engine.makeBucket()
    await fetch(`${engine.endpoint}/${bucket}/object`, { headers: { 'x-api-key': 'recorded' } })
    const isRecorded = async () =>
      (await engine.requests()).some((line) => line.includes('recorded'))
    await expect.poll(isRecorded).toBe(true)
    const log = (await engine.requests()).join('\n')
    expect(log).not.toContain(key)
    expect(log).not.toContain(session)
  })
})

/** How electron-updater downloads, on Node's HTTP instead of Electron's. */
class NodeExecutor extends HttpExecutor<ClientRequest> {
  createRequest(
    options: RequestOptions,
    callback: (response: IncomingMessage) => void,
  ): ClientRequest {
    return request(options, callback)
  }

  /** Throws if the file has another SHA-512, in base64. */
  save(url: URL, destination: string, sha512: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const callback = (error: Error | null) => (error ? reject(error) : resolve())
      const options = { sha512, cancellationToken: new CancellationToken() }
      const target = {
        destination,
        options,
        onCancel: () => undefined,
        callback,
        responseHandler: null,
      }
      this.doDownload(configureRequestOptionsFromUrl(url.href, {}), target, 0)
    })
  }
}
