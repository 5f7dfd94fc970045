import { useEffect, useState } from 'react'
import type { Project } from '../../../server/contract'
import { formatCount, formatWhole } from '../../lib/texts/format'
import { Stat } from '../../ui/chart/stat'
import { useSession } from '../../lib/session/session'
import classes from './dashboard.module.css'
import { newsSince, noteVisit, type Visit, type Visits } from './last-visit'

export function Activity({
  own,
  failed,
}: {
  own: readonly Project[] | undefined
  failed: boolean
}) {
  const unknown = failed ? '–' : undefined
  const now = own && {
    downloads: own.reduce((sum, { stats }) => sum + stats.total_downloads, 0),
    views: own.reduce((sum, { stats }) => sum + stats.views, 0),
  }

  const before = useLastVisit(now)
  const news = now && newsSince(before, now)

  return (
    <dl className={classes.stats} aria-label="Activity">
      <Stat
        label="Downloads"
        value={now ? formatCount(now.downloads) : unknown}
        hint={now ? formatWhole(now.downloads) : ''}
        note={note(news?.downloads)}
      />
      <Stat
        label="Page views"
        value={now ? formatCount(now.views) : unknown}
        hint={now ? formatWhole(now.views) : ''}
        note={note(news?.views)}
      />
      <Stat label="Projects" value={own ? formatWhole(own.length) : unknown} />
    </dl>
  )
}

const note = (more: number | undefined) =>
  more === undefined || more === 0 ? undefined : `+${formatCount(more)} since your last visit`

/** The previous visit in this browser. Records the current numbers once they are known. */
function useLastVisit(now: Pick<Visit, 'downloads' | 'views'> | undefined): Visit | undefined {
  const key = `slipway.visit.${useSession().user?.user_id ?? ''}`
  const [noted] = useState(() => read(key))
  const [openedAt] = useState(() => new Date().toISOString())
  const visits = now && noteVisit(noted, { at: openedAt, ...now })
  const toKeep = visits && JSON.stringify(visits)
  useEffect(() => {
    if (toKeep !== undefined) write(key, toKeep)
  }, [key, toKeep])
  return visits?.before
}

function read(key: string): Visits | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Visits | null) ?? undefined
  } catch {
    return undefined
  }
}

/** A browser that stores nothing shows no news. */
function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch (cause) {
    console.warn('This visit could not be noted', cause)
  }
}
