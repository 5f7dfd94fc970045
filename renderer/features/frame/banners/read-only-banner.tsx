import { Link } from 'react-router-dom'
import type { Host } from '../../../../server/contract'
import { useHostTrouble } from '../../../lib/host/host'
import { useSession } from '../../../lib/session/session'
import { useManagesHost } from '../../../lib/session/use-manages-host'
import { paths } from '../../../paths'
import classes from '../frame.module.css'

type Trouble = NonNullable<Host['trouble']>

const WHAT: Record<Trouble, string> = {
  full:
    'This host cannot save changes, because its disk is full. Downloads continue; uploads and ' +
    'edits are refused until there is space.',
  database_full:
    'This host cannot save changes, because the disk of its database is full. Downloads ' +
    'continue; uploads, edits and deletes are refused until there is space.',
  failing:
    'This host cannot save changes, because its disk is failing. Downloads continue; ' +
    'uploads and edits are refused.',
  missing:
    'The disk of this host is not connected. Until you connect it, nothing can be ' +
    'downloaded, uploaded or changed. Saved data is not lost.',
  no_primary:
    'This host cannot save changes, because it does not reach the host that makes them. ' +
    'Downloads continue; uploads and edits are refused.',
}

const REMEDY: Record<Trouble, string> = {
  full: 'Free some space on the disk. Slipway then resumes automatically.',
  database_full: 'Free some space on the disk of PostgreSQL. Slipway then resumes automatically.',
  failing: 'Check the disk, then restart Slipway.',
  missing: 'Connect it again. Slipway then resumes automatically.',
  no_primary: 'Run “slipway cluster status”, and check that the hosts reach each other.',
}

export function ReadOnlyBanner() {
  const trouble = useHostTrouble()
  const managesHost = useManagesHost() === true
  const { user } = useSession()
  if (trouble === null) return null

  return (
    <p role="alert" className={classes.banner}>
      {WHAT[trouble]} {managesHost && REMEDY[trouble]}
      {user && trouble === 'full' && (
        <>
          {' '}
          You can still delete files; then <Link to={paths.trash}>empty the Trash</Link>.
        </>
      )}
    </p>
  )
}
