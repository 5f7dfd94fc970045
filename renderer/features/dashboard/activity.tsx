import type { Project } from '../../../server/contract'
import { formatCount, formatWhole } from '../../lib/words/format'
import { Stat } from '../../ui/chart/stat'
import classes from './dashboard.module.css'
import { newsSince } from './last-visit'
import { useLastVisit } from './use-last-visit'

export function Activity({ own, failed }: { own: readonly Project[] | undefined; failed: boolean }) {
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
