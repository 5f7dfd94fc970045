import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { AppContext } from './compose/context'
import { dispatch } from './http/endpoint/serve'
import { accountRoutes } from './features/accounts/routes'
import { factorRoutes } from './features/accounts/factor-routes'
import { signInRoutes } from './features/accounts/sign-in-routes'
import { accountDeletionRoutes } from './features/account-deletion/routes'
import { activityRoutes } from './features/activity/routes'
import { accessRequestRoutes } from './features/access-requests/routes'
import { apiKeyRoutes } from './features/api-keys/routes'
import { auditRoutes } from './features/audit/routes'
import { backupRoutes } from './features/backups/routes'
import { buildRoutes } from './features/builds/routes'
import { collaboratorRoutes } from './features/collaborators/routes'
import { dataFolderRoutes } from './features/data-folder/routes'
import { downloadRoutes, iconRoutes } from './features/downloads/routes'
import { embedRoutes } from './features/embeds/routes'
import { exportRoutes } from './features/exports/routes'
import { reminderRoutes } from './features/notices/reminder-routes'
import { noticeRoutes } from './features/notices/routes'
import { postRoutes } from './features/posts/routes'
import { fileRoutes } from './features/files/routes'
import { hostRoutes } from './features/host/routes'
import { installRoutes } from './features/install/routes'
import { internetRoutes } from './features/internet/routes'
import { inviteRoutes } from './features/invites/routes'
import { linkRoutes } from './features/links/routes'
import { localFileRoutes } from './features/local-files/routes'
import { bucketRoutes } from './features/bucket/routes'
import { manageRoutes } from './features/manage/routes'
import { pairingRoutes } from './features/pairings/routes'
import { peopleRoutes } from './features/people/routes'
import { pictureRoutes } from './features/pictures/routes'
import { previewRoutes } from './features/previews/routes'
import { projectDownloadRoutes } from './features/downloads/project-routes'
import { feedRoutes } from './features/feeds/routes'
import { repositoryRoutes } from './features/repositories/routes'
import { registryRoutes } from './features/registry/routes'
import { releaseDownloadRoutes } from './features/downloads/release-routes'
import { releaseChangeRoutes } from './features/releases/change-routes'
import { projectPageRoutes } from './features/visitor-pages/page-routes'
import { releaseRoutes } from './features/releases/routes'
import { deviceRoutes } from './features/devices/routes'
import { testerRoutes } from './features/testers/routes'
import { projectRoutes } from './features/projects/routes'
import { fileRequestRoutes } from './features/file-requests/routes'
import { shareLinkRoutes } from './features/share-links/routes'
import { statisticsRoutes } from './features/projects/statistics-routes'
import { quotaRoutes } from './features/quota/routes'
import { resumableUploadRoutes } from './features/resumable-uploads/routes'
import { reportRoutes } from './features/reports/routes'
import { retentionRoutes } from './features/retention/routes'
import { searchRoutes } from './features/search/routes'
import { settingsRoutes } from './features/settings/routes'
import { singleSignOnRoutes } from './features/single-sign-on/routes'
import { trustedPublisherRoutes } from './features/trusted-publishers/routes'
import { trashRoutes } from './features/trash/routes'
import { uploadRoutes } from './features/uploads/routes'
import { webhookRoutes } from './features/webhooks/routes'
import { watchRoutes } from './features/watches/routes'

const ROUTES: readonly ((router: Router, context: AppContext) => void)[] = [
  accountRoutes,
  signInRoutes,
  factorRoutes,
  singleSignOnRoutes,
  accountDeletionRoutes,
  apiKeyRoutes,
  trustedPublisherRoutes,
  pairingRoutes,
  uploadRoutes,
  localFileRoutes,
  downloadRoutes,
  iconRoutes,
  fileRoutes,
  resumableUploadRoutes,
  quotaRoutes,
  buildRoutes,
  statisticsRoutes,
  projectRoutes,
  projectPageRoutes,
  pictureRoutes,
  linkRoutes,
  projectDownloadRoutes,
  exportRoutes,
  releaseRoutes,
  releaseChangeRoutes,
  releaseDownloadRoutes,
  retentionRoutes,
  searchRoutes,
  installRoutes,
  feedRoutes,
  repositoryRoutes,
  registryRoutes,
  embedRoutes,
  testerRoutes,
  deviceRoutes,
  accessRequestRoutes,
  previewRoutes,
  shareLinkRoutes,
  fileRequestRoutes,
  reportRoutes,
  noticeRoutes,
  reminderRoutes,
  collaboratorRoutes,
  postRoutes,
  watchRoutes,
  webhookRoutes,
  trashRoutes,
  hostRoutes,
  manageRoutes,
  internetRoutes,
  bucketRoutes,
  activityRoutes,
  settingsRoutes,
  dataFolderRoutes,
  backupRoutes,
  peopleRoutes,
  inviteRoutes,
  auditRoutes,
]

/** Serves every call of the contract. */
export const serveRoutes = (context: AppContext): Middleware => dispatch(createRouter(context))

/** Registers every route of the contract. */
export function createRouter(context: AppContext): Router {
  const router = new Router({ sensitive: true, strict: true })
  for (const register of ROUTES) register(router, context)
  return router
}
