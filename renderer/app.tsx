import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router-dom'
import { Frame } from './features/frame/frame'
import { loadSidebar } from './features/frame/header'
import { SignedIn, SignedOut } from './features/frame/gates'
import { useShareRequest } from './features/share-links/share-place'
import { useDroppedFiles, usePublishRequest } from './features/uploads/drop/drop-place'
import { createClient } from './lib/client/api-client'
import { ClientProvider } from './lib/client/client-context'
import { checkReply, loadSchemas } from './lib/client/check-reply'
import { isAppWindow } from './lib/browser/desktop'
import { loadWhileIdle, useFirstView } from './lib/browser/first-view'
import { lazyPage } from './lib/browser/lazy-page'
import { createQueryClient } from './lib/client/query-client'
import { useSession } from './lib/session/session'
import { watchedFetch } from './lib/client/unauthorized'
import { routes } from '../server/contract/routes'
import { Lazily } from './ui/feedback/lazily'
import { cssVariables, theme } from './ui/theme'

const AccountPage = lazyPage(() => import('./features/accounts/account-page'), 'AccountPage')
const AccountExports = lazyPage(
  () => import('./features/exports/account-exports'),
  'AccountExports',
)
const loadApiKeys = () => import('./features/api-keys/api-keys-page')
const ApiKeysPage = lazyPage(loadApiKeys, 'ApiKeysPage')
const AuditPage = lazyPage(() => import('./features/audit/audit-page'), 'AuditPage')
const BrowsePage = lazyPage(() => import('./features/browse/browse-page'), 'BrowsePage')
const loadBuilds = () => import('./features/builds/builds-page')
const BucketPage = lazyPage(() => import('./features/bucket/bucket-page'), 'BucketPage')
const BuildsPage = lazyPage(loadBuilds, 'BuildsPage')
const loadDashboard = () => import('./features/dashboard/dashboard-page')
const DashboardPage = lazyPage(loadDashboard, 'DashboardPage')
const DataPage = lazyPage(() => import('./features/data-folder/data-page'), 'DataPage')
const DropAnywhere = lazyPage(() => import('./features/uploads/drop/drop-anywhere'), 'DropAnywhere')
const ShareDialog = lazyPage(() => import('./features/share-links/share-dialog'), 'ShareDialog')
const DialogPlace = lazyPage(() => import('./ui/dialog/dialog-place'), 'DialogPlace')
const DocsPage = lazyPage(() => import('./features/docs/docs-page'), 'DocsPage')
const HostFrame = lazyPage(() => import('./features/host/host-frame'), 'HostFrame')
const HostPage = lazyPage(() => import('./features/host/host-page'), 'HostPage')
const HostSettingsPage = lazyPage(
  () => import('./features/host/host-settings-page'),
  'HostSettingsPage',
)
const LandingPage = lazyPage(() => import('./features/landing/landing-page'), 'LandingPage')
const LoginFactorPage = lazyPage(
  () => import('./features/accounts/factors/login-factor-page'),
  'LoginFactorPage',
)
const LoginSsoPage = lazyPage(async () => {
  // Loads what a finished sign-in opens together with the page, not after the answer of the host.
  if (window.location.search !== '') loadDashboard().catch(() => undefined)
  return import('./features/accounts/sso/login-sso-page')
}, 'LoginSsoPage')
const LoginPage = lazyPage(() => import('./features/accounts/login-page'), 'LoginPage')
const ManagePage = lazyPage(() => import('./features/manage/manage-page'), 'ManagePage')
const loadMyFiles = () => import('./features/files/my-files-page')
const MyFilesPage = lazyPage(loadMyFiles, 'MyFilesPage')
const NotFoundPage = lazyPage(() => import('./features/not-found/not-found-page'), 'NotFoundPage')
const MessagePlace = lazyPage(() => import('./ui/feedback/message-place'), 'MessagePlace')
const PairPage = lazyPage(() => import('./features/pairing/pair-page'), 'PairPage')
const PeoplePage = lazyPage(() => import('./features/people/people-page'), 'PeoplePage')
const ProjectPosts = lazyPage(() => import('./features/posts/project-posts'), 'ProjectPosts')
const loadProjectFiles = () => import('./features/project-files/project-files-page')
const ProjectFilesPage = lazyPage(loadProjectFiles, 'ProjectFilesPage')
const loadReleases = () => import('./features/releases/releases-page')
const loadUpdates = () => import('./features/posts/project-updates-page')
const loadStatistics = () => import('./features/projects/statistics/project-statistics-page')
const loadProjectPeople = () => import('./features/collaborators/project-people-page')
const loadReports = () => import('./features/reports/reports-page')
const loadSettings = () => import('./features/projects/page/project-settings-page')
/** Keys: the last segment of the address. */
const projectTabs: Partial<Record<string, () => Promise<unknown>>> = {
  '': loadProjectFiles,
  releases: loadReleases,
  updates: loadUpdates,
  statistics: loadStatistics,
  reports: loadReports,
  people: loadProjectPeople,
  settings: loadSettings,
}
const ProjectPage = lazyPage(async () => {
  // Loads the tab together with the page, not after it.
  const tab = window.location.pathname.split('/')[3] ?? ''
  void projectTabs[tab]?.()
  return import('./features/projects/page/project-page')
}, 'ProjectPage')
const AccessRequests = lazyPage(
  () => import('./features/access-requests/access-requests'),
  'AccessRequests',
)
const ProjectPeoplePage = lazyPage(loadProjectPeople, 'ProjectPeoplePage')
const ProjectSettingsPage = lazyPage(loadSettings, 'ProjectSettingsPage')
const ProjectStatisticsPage = lazyPage(loadStatistics, 'ProjectStatisticsPage')
const ProjectUpdatesPage = lazyPage(loadUpdates, 'ProjectUpdatesPage')
const loadProjects = () => import('./features/projects/projects-page')
const ProjectsPage = lazyPage(loadProjects, 'ProjectsPage')
const PublicFilesPage = lazyPage(
  () => import('./features/public-files/public-files-page'),
  'PublicFilesPage',
)
const PublicProjectPage = lazyPage(
  () => import('./features/public-project/public-project-page'),
  'PublicProjectPage',
)
const PublicReleasesPage = lazyPage(
  () => import('./features/public-project/public-releases-page'),
  'PublicReleasesPage',
)
const Previews = lazyPage(() => import('./features/previews/previews'), 'Previews')
const PublishSheet = lazyPage(() => import('./features/publish/publish-sheet'), 'PublishSheet')
const NewPasswordPage = lazyPage(
  () => import('./features/accounts/new-password-page'),
  'NewPasswordPage',
)
const ForgotPasswordPage = lazyPage(
  () => import('./features/accounts/forgot-password-page'),
  'ForgotPasswordPage',
)
const RegisterPage = lazyPage(() => import('./features/accounts/register-page'), 'RegisterPage')
const ReportPage = lazyPage(() => import('./features/reports/report-page'), 'ReportPage')
const ReportsPage = lazyPage(loadReports, 'ReportsPage')
const ReleasesPage = lazyPage(loadReleases, 'ReleasesPage')
const TesterLinks = lazyPage(() => import('./features/testers/tester-links'), 'TesterLinks')
const TrashPage = lazyPage(() => import('./features/trash/trash-page'), 'TrashPage')
const WatchedFolders = lazyPage(
  () => import('./features/watches/watched-folders'),
  'WatchedFolders',
)
const UploadDock = lazyPage(() => import('./features/uploads/dock/upload-dock'), 'UploadDock')

/** Preloaded for a signed-in person: the pages of the menu and the rules of forms. */
const next = [
  loadProjects,
  loadMyFiles,
  loadDashboard,
  loadApiKeys,
  loadBuilds,
  loadSidebar,
  loadSchemas,
]

const prove = async () => (await import('./features/accounts/factors/ask-for-proof')).askForProof()

/**
 * Providers, outermost first, and all routes: the only place where pages of different features
 * meet.
 */
export function App() {
  const [queryClient] = useState(createQueryClient)
  const [client] = useState(() =>
    createClient('', { fetch: watchedFetch, check: checkReply, prove }),
  )

  return (
    <QueryClientProvider client={queryClient}>
      <ClientProvider value={client}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
        >
          <BrowserRouter>
            <Pages />
            <BesidePages />
          </BrowserRouter>
        </MantineProvider>
      </ClientProvider>
    </QueryClientProvider>
  )
}

/**
 * Parts that can appear on any page, loaded after its first view because a new page needs none of
 * them. Each loads separately, so that a slow one does not delay the others.
 */
function BesidePages() {
  const { user } = useSession()
  const isFirstViewDone = useFirstView()
  const request = usePublishRequest()
  const shared = useShareRequest()

  const isSignedIn = user !== undefined
  useEffect(() => {
    if (isFirstViewDone && isSignedIn) void loadWhileIdle(next)
  }, [isFirstViewDone, isSignedIn])
  useDroppedFiles()
  // Files that the system opened start immediately.
  const isDropping = isAppWindow() || (isSignedIn && isFirstViewDone)

  return (
    <>
      <Lazily>{isFirstViewDone && <MessagePlace />}</Lazily>
      <Lazily>{isFirstViewDone && user && <DialogPlace />}</Lazily>
      <Lazily>{isDropping && <DropAnywhere />}</Lazily>
      <Lazily>{user && request && <PublishSheet key={request.number} request={request} />}</Lazily>
      <Lazily>{isFirstViewDone && user && <UploadDock />}</Lazily>
      <Lazily>{user && shared && <ShareDialog key={shared.number} {...shared} />}</Lazily>
    </>
  )
}

function Pages() {
  return (
    <Routes>
      <Route element={<Frame />}>
        <Route path={routes.landing} element={<LandingPage />} />
        <Route path={routes.browse} element={<BrowsePage />} />
        <Route path={routes.publicFiles} element={<PublicFilesPage />} />
        <Route path={routes.publicProject} element={<PublicProjectPage Updates={ProjectPosts} />} />
        <Route path={routes.publicRelease} element={<PublicProjectPage Updates={ProjectPosts} />} />
        <Route path={routes.publicReleases} element={<PublicReleasesPage />} />
        <Route path={routes.docs} element={<DocsPage />} />
        <Route path={routes.docsGroup} element={<DocsPage />} />
        <Route path={routes.newPassword} element={<NewPasswordPage />} />
        <Route path={routes.forgotPassword} element={<ForgotPasswordPage />} />
        <Route path={routes.loginSso} element={<LoginSsoPage />} />
        <Route element={<SignedOut />}>
          <Route path={routes.login} element={<LoginPage />} />
          <Route path={routes.loginFactor} element={<LoginFactorPage />} />
          <Route path={routes.register} element={<RegisterPage />} />
        </Route>
        <Route element={<SignedIn />}>
          <Route path={routes.dashboard} element={<DashboardPage />} />
          <Route path={routes.myFiles} element={<MyFilesPage />} />
          <Route path={routes.builds} element={<BuildsPage />} />
          <Route
            path={routes.account}
            element={
              <AccountPage>
                <AccountExports />
              </AccountPage>
            }
          />
          <Route path={routes.trash} element={<TrashPage />} />
          <Route path={routes.apiKeys} element={<ApiKeysPage />} />
          <Route path={routes.pair} element={<PairPage />} />
          <Route path={routes.manage} element={<ManagePage />} />
          <Route path={routes.host} element={<HostFrame Missing={NotFoundPage} />}>
            <Route index element={<HostPage />} />
            <Route path={routes.people} element={<PeoplePage Missing={NotFoundPage} />} />
            <Route path={routes.audit} element={<AuditPage Missing={NotFoundPage} />} />
            <Route path={routes.hostData} element={<DataPage />} />
            <Route path={routes.hostSettings} element={<HostSettingsPage />} />
            <Route path={routes.hostBucket} element={<BucketPage />} />
          </Route>
          <Route path={routes.projects} element={<ProjectsPage />} />
          <Route path={routes.project} element={<ProjectPage />}>
            <Route index element={<ProjectFilesPage Watched={WatchedFolders} />} />
            <Route path={routes.projectReleases} element={<ReleasesPage />} />
            <Route path={routes.projectUpdates} element={<ProjectUpdatesPage />} />
            <Route path={routes.projectStatistics} element={<ProjectStatisticsPage />} />
            <Route path={routes.projectReports} element={<ReportsPage />} />
            <Route path={routes.projectReport} element={<ReportPage />} />
            <Route
              path={routes.projectPeople}
              element={
                <ProjectPeoplePage
                  Testers={TesterLinks}
                  Requests={AccessRequests}
                  Previews={Previews}
                />
              }
            />
            <Route path={routes.projectSettings} element={<ProjectSettingsPage />} />
          </Route>
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  )
}
