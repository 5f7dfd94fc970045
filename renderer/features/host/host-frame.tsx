import { Skeleton, Text, Title } from '@mantine/core'
import { Suspense, type ComponentType } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { listPages } from '../../../server/contract/routes'
import { useManagesHost } from '../../lib/session/use-manages-host'
import { useHead } from '../../lib/texts/head'
import { paths } from '../../paths'
import { TabbedPage } from '../../ui/layout/tabbed-page'
import { TableSkeleton } from '../../ui/table/skeletons'

const overview = { to: paths.host, text: 'Overview', about: 'How other devices reach this host' }
const pages = listPages('host', 'palette').map(({ place, path, label, about = '' }) => ({
  ...{ place, to: path, text: label, about },
}))
const tabs = [overview, ...pages.filter(({ place }) => place === 'host')]

/** The frame of the host pages: title, tabs and the open page. */
export function HostFrame({ Missing }: { Missing: ComponentType }) {
  const manages = useManagesHost()
  const { pathname } = useLocation()
  const page = pages.find(({ to }) => to === pathname) ?? overview
  if (manages === false) return <Missing />
  return (
    <TabbedPage
      head={<Title order={1}>Host</Title>}
      label="Host"
      tabs={tabs.map((tab) => ({
        ...tab,
        // Its page is opened from the settings.
        hasOpenPage: tab.to === paths.hostSettings && pathname === paths.hostBucket,
      }))}
    >
      {manages === undefined ? <Skeleton h={72} /> : <OpenPage {...page} />}
    </TabbedPage>
  )
}

function OpenPage({ text, about }: (typeof tabs)[number]) {
  useHead({ title: text === overview.text ? 'Host' : text, description: about })

  return (
    <>
      {about !== '' && (
        <Text c="dimmed" mb="md">
          {about}
        </Text>
      )}
      <Suspense fallback={<TableSkeleton rows={4} />}>
        <Outlet />
      </Suspense>
    </>
  )
}
