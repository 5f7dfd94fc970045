import type { Client } from '../../../renderer/lib/client/api-client'
import type { Project } from '../../../server/contract'
import { expect, test as base, VISITOR } from '../../support/world/page'

/** `test` with its own host and a signed-out `page`. Fixtures are created as alice. */
export const test = base.extend({ person: async ({}, use) => use(VISITOR) })

export { expect }

type ProjectFields = Partial<Pick<Project, 'title' | 'short_description' | 'description'>>

/** A public project, as its visitors find it. */
export async function aPublicProject(client: Client, fields: ProjectFields = {}): Promise<Project> {
  return (await client.projects.create({ title: 'Lantern', is_public: true, ...fields })).project
}

interface BuildFields {
  isPublic?: boolean
  version?: string
  platform?: string
  bytes?: Uint8Array<ArrayBuffer>
}

/** A file that a project offers, uploaded as CI does it: in one call. */
export async function aBuild(client: Client, project: Project, filename: string, fields: BuildFields = {}) {
  const { isPublic = true, bytes = new TextEncoder().encode(`the bytes of ${filename}`), ...release } = fields
  const file = new File([bytes], filename)
  const form = { file, is_public: String(isPublic), project_id: project.slug, ...release }
  return (await client.files.upload(form)).file
}
