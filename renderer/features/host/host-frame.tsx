import type { ComponentType } from 'react'
import { Outlet } from 'react-router-dom'
import { useManagesHost } from '../../lib/session/use-manages-host'
import { paths } from '../../paths'
import { LinkTabs } from '../../ui/layout/link-tabs'
import classes from './host-frame.module.css'

const tabs = [
  { to: paths.host, text: 'Overview' },
  { to: paths.people, text: 'People' },
  { to: paths.audit, text: 'Audit log' },
  { to: paths.hostData, text: 'Data' },
  { to: paths.hostSettings, text: 'Settings' },
]

export function HostFrame({ Missing }: { Missing: ComponentType }) {
  const manages = useManagesHost()
  if (manages === false) return <Missing />
  return (
    <>
      <div className={classes.tabs}>{manages && <LinkTabs label="Host" tabs={tabs} />}</div>
      <Outlet />
    </>
  )
}
