import { activity } from './host/activity'
import { accessRequests } from './accounts/access-requests'
import { accounts } from './accounts/accounts'
import { apiKeys } from './accounts/api-keys'
import { audit } from './host/audit'
import { backups } from './host/backups'
import { builds } from './files/builds'
import { collaborators } from './accounts/collaborators'
import { dataFolder } from './host/data-folder'
import { exports } from './exports'
import { factors } from './accounts/factors'
import { embeds } from './projects/embeds'
import { posts } from './projects/posts'
import { feeds } from './projects/feeds'
import { files } from './files/files'
import { host } from './host/host'
import { install } from './projects/install'
import { internet } from './host/internet'
import { invites } from './accounts/invites'
import { localFiles } from './files/local-files'
import { manage } from './accounts/manage'
import { notices } from './notices'
import { mirror } from './host/bucket'
import { pairings } from './accounts/pairings'
import { singleSignOn } from './accounts/single-sign-on'
import { pictures } from './projects/pictures'
import { previews } from './projects/previews'
import { people } from './accounts/people'
import { projects } from './projects/projects'
import { registry } from './projects/registry'
import { releases } from './projects/releases'
import { reports } from './projects/reports'
import { retention } from './projects/retention'
import { search } from './search'
import { trustedPublishers } from './projects/trusted-publishers'
import { settings } from './host/settings'
import { fileRequests } from './files/file-requests'
import { shareLinks } from './files/share-links'
import { storage } from './files/storage'
import { devices } from './projects/devices'
import { testers } from './projects/testers'
import { trash } from './files/trash'
import { uploads } from './files/uploads'
import { watches } from './files/watches'
import { webhooks } from './projects/webhooks'

export type { Activity, ClusterHost, FinishedTransfer, Transfer } from './host/activity'
export {
  newPasswordSchema,
  accountChangeSchema,
  accountDeletionSchema,
  passwordChangeSchema,
  registrationSchema,
  type AccountSession,
  type DeletionPreview,
  type User,
} from './accounts/accounts'
export type { ApiKey } from './accounts/api-keys'
export type { Factors, Passkey } from './accounts/factors'
export type { LinkedIdentity } from './accounts/single-sign-on'
export { factorKinds, proofs, type FactorKind, type ProvedBy } from './accounts/proofs'
export { auditKinds, type AuditEvent, type AuditKind } from './host/audit'
export type { Backups } from './host/backups'
export type { ExportSummary, ImportProgress } from './exports'
export type { Application, Build } from './files/builds'
export type { DataFolder, MovePlan } from './host/data-folder'
export type { Access, Endpoint } from './endpoint'
export { scopeOf, scopes, travelsInBody, type Scope } from './sending'
export { errorStatus, type ErrorCode } from './errors'
export { problemSchema, type Problem } from './problem'
export type { Post } from './projects/posts'
export type { BuildWarning } from './files/facts'
export { withoutUnseen } from './unseen'
export { describeKind, fileKind, type FileKind } from './files/formats'
export type { FileOrder } from './files/file-orders'
export type { File } from './files/files'
export type { Firewall, Host, HostAddress } from './host/host'
export type { InternetView, TunnelChoice } from './host/internet'
export type { Invite } from './accounts/invites'
export * from './limits'
export type { ManageSession } from './accounts/manage'
export type { ManyOutcome } from './many'
export type { BucketView } from './host/bucket'
export { DEFAULT_DESCRIPTION, DEFAULT_TITLE, withBrand } from './routes'
export {
  picturePath,
  type Picture,
  type PictureKind,
  type ProjectPictures,
} from './projects/pictures'
export type { DeletedPerson, Person } from './accounts/people'
export { publisherFieldsSchema, type TrustedPublisher } from './projects/trusted-publishers'
export type { Preview } from './projects/previews'
export { PROJECT_ORDERS, type ProjectOrder } from './projects/page-query'
export {
  architectureIn,
  PLATFORMS,
  platformOf,
  platformsOf,
  visitorPlatform,
  type Platform,
} from './files/platforms'
export type { LinkedFile } from './projects/linked-files'
export { releaseFieldsSchema, type Release } from './projects/releases'
export type {
  ListedReport,
  Report,
  ReportDevice,
  ReportGroup,
  ReportKind,
  ReportSettings,
  ReportState,
} from './report-schemas'
export type { RetainedChannel, RetentionPlan } from './projects/retention'
export type { SearchResults } from './search'
export type { ProjectPage } from './projects/project-page'
export { projectFieldsSchema, type Project } from './projects/projects'
export type { ProjectDay, ProjectNews, StatisticsShare } from './projects/statistics'
export { hostSettingsSchema, type HostSettings } from './host-settings/host-settings'
export type {
  HttpsAuthority,
  MachineAddress,
  ReleaseKeysState,
  RestoredSettings,
} from './host/settings'
export { fileRequestFieldsSchema, type FileRequest } from './files/file-requests'
export { shareLinkFieldsSchema, type ShareLink } from './files/share-links'
export type { StorageKind, StorageStats } from './files/storage'
export type { AccessRequest, AccessSettings } from './accounts/access-requests'
export { testerFieldsSchema, type TesterLink } from './projects/testers'
export type { Trashed } from './files/trash'
export { uploadMetadataSchema, type UnfinishedUpload } from './files/uploads'
export { watchFieldsSchema, type Watch, type WatchedFile } from './files/watches'
export {
  webhookEventTexts,
  webhookFieldsSchema,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from './projects/webhooks'

/** The whole API: served, called and documented. */
export const api = {
  accounts,
  apiKeys,
  pairings,
  files,
  uploads,
  localFiles,
  shareLinks,
  fileRequests,
  storage,
  exports,
  builds,
  projects,
  pictures,
  releases,
  retention,
  reports,
  notices,
  search,
  install,
  testers,
  devices,
  accessRequests,
  previews,
  collaborators,
  posts,
  feeds,
  registry,
  embeds,
  watches,
  webhooks,
  trustedPublishers,
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
  factors,
  singleSignOn,
}
export type Api = typeof api
