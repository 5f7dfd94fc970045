import type { Actor, KeyGrant } from '../../server/access/actor'
import { scopes } from '../../server/contract'
import type { ApiKeyRecord } from '../../server/data/records/account-records'
import type { FileRecord } from '../../server/data/records/file-records'
import type { PostRecord, ProjectRecord, ReleaseRecord } from '../../server/data/records/project-records'
import type { TrashRecord } from '../../server/data/records/trash-record'
import type { UploadRecord } from '../../server/data/records/upload-records'

const TIME = '2030-01-01T00:00:00.000Z'
const bySession = (userId: string): Actor => ({ kind: 'user', userId, credential: 'session' })
const byKey = (grant: Partial<KeyGrant>): Actor => ({
  kind: 'user',
  userId: 'alice',
  credential: 'api-key',
  key: { scopes, projectId: null, ...grant },
})

/** Actors that call for alice's items. `refused`: identification itself answers 401. */
export const actors = {
  visitor: { kind: 'visitor' },
  'other user': bySession('bob'),
  collaborator: bySession('carol'),
  'removed collaborator': bySession('dave'),
  owner: bySession('alice'),
  'key of the owner': byKey({}),
  'read-only key': byKey({ scopes: ['read'] }),
  'key for another project': byKey({ projectId: 'another-project' }),
  'host at the window': { kind: 'host', userId: 'host', credential: 'session' },
  'revoked key': 'refused',
  'expired key': 'refused',
  'session of a disabled account': { kind: 'visitor' },
  'key of a disabled account': 'refused',
} as const satisfies Record<string, Actor | 'refused'>

export type ActorName = keyof typeof actors
export const actorNames = Object.keys(actors) as ActorName[]

export interface Things {
  project: ProjectRecord
  file: FileRecord
  release: ReleaseRecord
  post: PostRecord
  key: ApiKeyRecord
  gone: TrashRecord
  upload: UploadRecord
}

const OWNER = 'alice'

const key: ApiKeyRecord = {
  id: 'the-key',
  ownerId: OWNER,
  name: 'hers',
  hash: '',
  createdAt: TIME,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  scopes,
  projectId: null,
}

const trash = (file: FileRecord): TrashRecord => ({
  id: 'gone',
  kind: 'file',
  ownerId: OWNER,
  name: 'gone.apk',
  size: 1,
  blobId: '',
  deletedAt: TIME,
  value: { file, links: [], releases: [] },
})

const upload: Omit<UploadRecord, 'isPublic'> = {
  id: 'the-upload',
  ownerId: OWNER,
  blobId: '',
  size: 5,
  offset: 0,
  metadata: '',
  filename: 'a.apk',
  projectId: null,
  version: null,
  platform: null,
  sha256: null,
  fingerprint: null,
  createdAt: TIME,
  expiresAt: TIME,
  fileId: null,
  isLinked: false,
}

const release: ReleaseRecord = {
  id: 'the-release',
  projectId: 'the-project',
  ownerId: OWNER,
  version: '1.0',
  channel: 'stable',
  notes: '',
  state: 'published',
  isKept: false,
  createdAt: TIME,
  publishedAt: TIME,
}

/** A project of alice with carol as collaborator, and a file in a published release, a post, a key, a trash item and an unfinished upload. */
export function thingsOfAlice(isPublic: boolean): Things {
  const file = {
    id: 'the-file',
    ownerId: OWNER,
    filename: 'rocket.apk',
    size: 1,
    sha256: '',
    blobId: '',
    isPublic,
    version: null,
    uploadedAt: TIME,
  }
  const project = {
    id: 'the-project',
    slug: 'rocket',
    ownerId: OWNER,
    title: 'Rocket',
    shortDescription: '',
    description: '',
    isPublic,
    projectUrl: null,
    collaboratorIds: ['carol'],
    createdAt: TIME,
    updatedAt: TIME,
  }
  const post = {
    id: 'the-post',
    projectId: project.id,
    authorId: OWNER,
    content: '',
    createdAt: TIME,
    updatedAt: TIME,
  }
  return { project, file, release, post, key, gone: trash(file), upload: { ...upload, isPublic } }
}
