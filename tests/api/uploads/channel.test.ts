import { expect } from 'vitest'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { TusClient, metadata } from '../../support/network/tus'
import { aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'

test('every way to upload begins a release on the channel that it names, and refuses what it does not know', async ({
  server,
}) => {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice)
  const fetch = server.fetchAs(alice)
  const form = (query: string) =>
    fetch(`/api/files/upload?${query}`, {
      ...{ method: 'POST', headers: { 'content-type': multipartType } },
      body: multipartBody(filePart('x', 'a.bin')),
    })
  const put = (query: string) =>
    fetch(`/api/files/upload/a.bin?${query}`, { method: 'PUT', body: 'x' })
  const tus = async (query: string) => {
    const fields = { filename: 'a.bin', ...Object.fromEntries(new URLSearchParams(query)) }
    const begun = await TusClient.of(server, alice).create(1, {
      'upload-metadata': metadata(fields),
    })
    const address = begun.headers.get('location')
    return address === null ? begun : TusClient.of(server, alice).patch(address, 0, 'x')
  }
  const channelOf = async (of: string) =>
    (await server.as(alice).releases.list({ id })).releases.find(({ version }) => version === of)
      ?.channel

  for (const [n, upload] of [form, put, tus].entries()) {
    expect((await upload(`project_id=${id}&version=1.${n}&channel=beta`)).ok).toBe(true)
    expect(await channelOf(`1.${n}`)).toBe('beta')
    server.clock.advance(1000)
    expect((await upload(`project_id=${id}&version=1.${n}&channel=nightly`)).status).toBe(400)
    expect((await upload(`version=1.${n}&channel=beta`)).status).toBe(400)
  }
  for (const upload of [form, put])
    expect((await upload(`project_id=${id}&chanel=beta`)).status).toBe(400)
})
