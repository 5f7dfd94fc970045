import { activity } from './activity'
import { accounts } from './accounts'
import { apiKeys } from './api-keys'
import { audit } from './audit'
import { backups } from './backups'
import { builds } from './builds'
import { collaborators } from './collaborators'
import { dataFolder } from './data-folder'
import { feed } from './feed'
import { feeds } from './feeds'
import { files } from './files'
import { host } from './host'
import { install } from './install'
import { internet } from './internet'
import { invites } from './invites'
import { localFiles } from './local-files'
import { manage } from './manage'
import { mirror } from './mirror'
import { pairings } from './pairings'
import { people } from './people'
import { projects } from './projects'
import { releases } from './releases'
import { settings } from './settings'
import { storage } from './storage'
import { testers } from './testers'
import { trash } from './trash'
import { uploads } from './uploads'
import { watches } from './watches'

export type { Activity, FinishedTransfer, Transfer } from './activity'
export { passwordChangeSchema, registrationSchema, type User } from './accounts'
export type { ApiKey } from './api-keys'
export { auditKinds, type AuditEvent, type AuditKind } from './audit'
export type { Backups } from './backups'
export type { Build } from './builds'
export type { DataFolder, MovePlan } from './data-folder'
export { scopeOf, scopes, travelsInBody, type Access, type Endpoint, type Scope } from './endpoint'
export { errorStatus, problemSchema, type ErrorCode, type Problem } from './errors'
export { postContent, type Post } from './feed'
export type { BuildWarning } from './facts'
export { withoutUnseen } from './fields'
export { fileKind, type FileKind } from './file-kind'
export type { File } from './files'
export type { Firewall, Host, HostAddress } from './host'
export type { InternetView, TunnelChoice } from './internet'
export type { Invite } from './invites'
export * from './limits'
export type { ManageSession } from './manage'
export type { ManyOutcome } from './many'
export type { MirrorView } from './mirror'
export { DEFAULT_DESCRIPTION, DEFAULT_TITLE, LANDING, withBrand } from './pages'
export type { Person } from './people'
export {
  architectureIn,
  PLATFORMS,
  platformOf,
  platformOfFilename,
  platformOfPackage,
  platformsOf,
  type Platform,
} from './platforms'
export type { LinkedFile } from './linked-files'
export { releaseFieldsSchema, type Release } from './releases'
export type { ProjectPage } from './project-page'
export { projectFieldsSchema, type Project, type ProjectDay } from './projects'
export { hostSettingsSchema, type HostSettings } from './host-settings/host-settings'
export type { HttpsAuthority, MachineAddress, RestoredSettings } from './settings'
export type { StorageKind, StorageStats } from './storage'
export { testerFieldsSchema, type TesterLink } from './testers'
export type { Trashed } from './trash'
export { uploadMetadataSchema, type UnfinishedUpload } from './uploads'
export { watchFieldsSchema, type Watch, type WatchedFile } from './watches'

/** The whole API: served, called and documented. */
export const api = {
  accounts,
  apiKeys,
  pairings,
  files,
  uploads,
  localFiles,
  storage,
  builds,
  projects,
  releases,
  install,
  testers,
  collaborators,
  feed,
  feeds,
  watches,
  trash,
  host,
  internet,
  mirror,
  manage,
  activity,
  settings,
  dataFolder,
  backups,
  people,
  invites,
  audit,
}
export type Api = typeof api
