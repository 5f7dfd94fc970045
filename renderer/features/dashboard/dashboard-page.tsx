import { Skeleton, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useHead } from '../../lib/texts/head'
import { useSession } from '../../lib/session/session'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { Page } from '../../ui/layout/page'
import { TableSkeleton } from '../../ui/table/skeletons'
import { Activity } from './activity'
import classes from './dashboard.module.css'
import { stepsLeft } from './first-steps'
import { FirstSteps } from './first-steps-card'
import { News, useNews } from './news'
import { OpenReports } from './open-reports'
import { RecentFiles } from './recent-files'
import { SharedWithYou } from './shared-with-you'
import { StorageCard } from './storage/storage-card'
import { suggestionsFor } from './suggestions'
import { useApiKeys } from '../api-keys/use-api-keys'
import { useCopiedOnce } from './use-copied-once'
import { useRecentFiles } from './use-recent-files'
import { WhatNext } from './what-next'

export function DashboardPage() {
  const { user } = useSession()
  const { data: projects, error, isFetched } = useMyProjects()
  const files = useRecentFiles()
  const news = useNews()

  const own = projects?.filter(({ role }) => role === 'owner')
  const isNew = useFirstSteps(own)
  useHead({ title: 'Dashboard' })
  // Waits for all, so that nothing is pushed down later. What then mounts asks again for what has
  // failed, which is pending once more, but stays fetched.
  const isKnown = isFetched && files.isFetched && news.isFetched

  return (
    <Page title={`Welcome, ${user?.username ?? ''}`} description={user?.email ?? ''}>
      {!isKnown && <Loading />}
      {isKnown && (
        <div className={classes.columns}>
          <Stack gap="lg">
            {isNew.length > 0 && (
              <FirstSteps
                steps={isNew}
                project={own?.find(({ is_public }) => is_public) ?? own?.[0]}
              />
            )}
            {projects !== undefined && projects.length > 0 && <News />}
            {own?.length !== 0 && <Activity own={own} failed={error !== null} />}
            <OpenReports projects={projects ?? []} />
            <SharedWithYou projects={projects ?? []} />
            <RecentFiles />
          </Stack>
          <Stack gap="lg">
            <StorageCard />
            {isNew.length < 2 && <Next own={own ?? []} />}
          </Stack>
        </div>
      )}
    </Page>
  )
}

/** The numbers, a list and the storage, as high as they will be. */
const Loading = () => (
  <div className={classes.columns}>
    <Stack gap="lg">
      <div className={classes.stats}>
        {['downloads', 'views', 'projects'].map((name) => (
          <Skeleton key={name} h={66} radius="md" />
        ))}
      </div>
      <TableSkeleton rows={6} />
    </Stack>
    <Skeleton h={240} radius="md" />
  </div>
)

/** Waits for the data, so that no completed step flashes up. */
function useFirstSteps(own: Parameters<typeof stepsLeft>[0]['projects'] | undefined) {
  const files = useRecentFiles().data?.total
  const { hasCopied } = useCopiedOnce()
  return files === undefined || own === undefined
    ? []
    : stepsLeft({ files, projects: own, hasCopied })
}

/** The oldest are forgotten, long after their projects. */
const DISMISSALS_KEPT = 200

function Next({ own }: { own: Parameters<typeof suggestionsFor>[0] }) {
  const keys = useApiKeys().data

  const userId = useSession().user?.user_id ?? ''
  const [dismissed, setDismissed] = useLocalStorage<string[]>({
    key: `slipway.dismissed.${userId}`,
    defaultValue: [],
  })

  // One at a time: several are noise.
  const [suggestion] = suggestionsFor(own, keys, dismissed)

  return (
    <WhatNext
      suggestion={suggestion}
      onDismiss={(id) => setDismissed([...dismissed, id].slice(-DISMISSALS_KEPT))}
    />
  )
}
