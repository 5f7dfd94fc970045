import { accounts } from './accounts'
import { apiKeys } from './api-keys'
import { builds } from './builds'
import { collaborators } from './collaborators'
import { feed } from './feed'
import { files } from './files'
import { host } from './host'
import { people } from './people'
import { projects } from './projects'
import { storage } from './storage'

export { passwordChangeSchema, registrationSchema, type User } from './accounts'
export type { ApiKey } from './api-keys'
export type { Build, BuildStats } from './builds'
export { travelsInBody, type Access, type Endpoint } from './endpoint'
export { errorStatus, problemSchema, type ErrorCode, type Problem } from './errors'
export { postContent, type Post } from './feed'
export { fileKind, type FileKind } from './file-kind'
export type { File } from './files'
export type { Host } from './host'
export * from './limits'
export { DEFAULT_DESCRIPTION, DEFAULT_TITLE, pagePatterns, publicProjectPattern, withBrand } from './pages'
export type { Person } from './people'
export { projectFieldsSchema, type LinkedFile, type Project, type ProjectDay } from './projects'
export type { StorageStats } from './storage'

/** The whole API. Nothing is served, called or documented that is not listed here. */
export const api = { accounts, apiKeys, files, storage, builds, projects, collaborators, feed, host, people }
export type Api = typeof api
