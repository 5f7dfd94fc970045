import { aFile, aProject, aUser } from '../../support/world/factories'
import type { TestServer } from '../../support/world/test-server'

/**
 * Two private projects of alice's: beta.apk is in a beta release of the first, other.apk in one of
 * the second.
 */
export async function aPrivateBeta(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const [{ project_id: id }, other] = [
    await aProject(server, alice),
    await aProject(server, alice, { title: 'Other' }),
  ]
  const owner = server.as(alice)
  const offer = (
    filename: string,
    version: string | undefined,
    project_id: string,
    is_public = false,
  ) =>
    aFile(server, alice, {
      filename,
      project_id,
      is_public,
      platform: 'Android',
      ...(version && { version }),
    })
  await offer('stable.apk', '1.0', id)
  const { file_id } = await offer('beta.apk', '2.0-beta', id)
  await offer('nightly.apk', '3.0', id)
  await owner.releases.promote({ id, version: '3.0', channel: 'nightly' })
  await offer('draft.apk', '4.0-beta', id)
  await owner.releases.update({ id, version: '4.0-beta', state: 'draft' })
  await offer('loose.apk', undefined, id)
  await offer('shown.apk', undefined, id, true)
  await offer('other.apk', '1.0', other.project_id)
  const link = async (
    project: string,
    fields: { channel?: string; password?: string; expires_at?: string } = {},
  ) => {
    const { tester, url } = await owner.testers.create({
      id: project,
      name: 'Beta group',
      ...fields,
    })
    return { id: project, testerId: tester.tester_id, path: new URL(url).pathname }
  }
  return { server, alice, id, file_id, other: other.project_id, owner, link }
}

export type PrivateBeta = Awaited<ReturnType<typeof aPrivateBeta>>
