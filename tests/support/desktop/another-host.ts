import { mkdir } from 'node:fs/promises'
import type { Project } from '../../../server/contract/index'
import { Host, manageToken } from '../world/process'
import { addPeople, signedIn } from '../world/people'
import type { Person } from '../world/test-server'

interface Publisher extends Person {
  host: Host
  project: Project
}

/**
 * A headless host in a new folder, where alice, who manages it from elsewhere, has a public project
 * of this title.
 */
export async function startPublisher(folder: string, title: string): Promise<Publisher> {
  await mkdir(folder)
  await addPeople(folder, ['alice'])
  const host = await Host.start(folder)
  const alice = await signedIn(host.url, 'alice')
  await alice.client.manage.begin({ link: await manageToken(folder) })
  const { project } = await alice.client.projects.create({ title, is_public: true })
  return { ...alice, host, project }
}
