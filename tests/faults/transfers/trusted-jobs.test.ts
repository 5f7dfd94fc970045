import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../../scripts/dev/free-port'
import { createClient } from '../../support/network/client'
import { anIssuer } from '../../support/network/issuer'
import { Browser } from '../../support/system/browser'
import { tempDir } from '../../support/system/temp-dir'
import { aReceiver } from '../../support/webhooks/receiver'
import { PASSWORD } from '../../support/world/password'
import { clientAt, register, startHost } from '../../support/world/place'
import { command, Running } from '../support/pushing'

test('publishes from a job of a trusted repository, without a stored key', async () => {
  const folder = await tempDir()
  const [port, issuer] = [await freePort(), await anIssuer()]
  const settings = { webhook_networks: ['127.0.0.0/8'] }
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data/settings.json'), JSON.stringify(settings))
  await writeFile(join(folder, 'a.zip'), 'a')
  const url = `http://127.0.0.1:${port}`
  const also = ['--port', String(port), '--public-url', url]
  const place = await register(await startHost(join(folder, 'data'), { also }))

  const client = createClient(url, { fetch: new Browser(url).fetch })
  await client.accounts.login({ username: 'alice', password: PASSWORD })
  const { project_id: id } = (await client.projects.create({ title: 'Rocket' })).project
  const repository = { provider: 'github', repository: 'lea/lantern', issuer: issuer.url } as const
  await client.trustedPublishers.add({ id, ...repository, tag: 'v*' })

  const claims = { repository: 'lea/lantern', repository_id: '42', ref: 'refs/tags/v1.4' }
  const tokens = new Map([[url, await issuer.sign({ aud: url, ...claims }, new Date())]])
  const forge = await aReceiver()
  forge.answer = ({ path }) => {
    const aud = new URL(path, forge.url).searchParams.get('audience') ?? ''
    return { body: JSON.stringify({ value: tokens.get(aud) }) }
  }
  const push = (env: Record<string, string>, file = 'a.zip') => {
    const words = [command(), 'push', file, '--project', 'rocket']
    return new Running(process.execPath, words, { SLIPWAY_URL: url, ...env }, folder).ended()
  }

  const request = { ACTIONS_ID_TOKEN_REQUEST_URL: `${forge.url}/token?api=2` }
  expect(await push({ ...request, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job' })).toMatchObject({
    code: 0,
  })
  expect(forge.got[0]?.headers.authorization).toBe('Bearer job')
  expect((await clientAt(place).projects.byId({ id: 'rocket' })).project.total_files).toBe(1)

  const other = await issuer.sign({ aud: url, ...claims, ref: 'refs/heads/mine' }, new Date())
  const refused = await push({ SLIPWAY_ID_TOKEN: other })
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('branch mine') })
  expect((await push({})).stderr).toContain('No API key')
})
