import type { Project } from '../../../../server/contract'
import { formatCount, formatWhole } from '../../../lib/texts/format'
import { Stat } from '../../../ui/chart/stat'
import classes from './project-stats.module.css'

export function ProjectStats({ project: { stats, downloads } }: { project: Project }) {
  return (
    <dl className={classes.stats} aria-label="Statistics">
      <Stat
        label="Downloads"
        value={formatCount(stats.total_downloads)}
        hint={formatWhole(stats.total_downloads)}
      />
      <Stat label="Views" value={formatCount(stats.views)} hint={formatWhole(stats.views)} />
      <Stat label="Files" value={formatCount(downloads.length)} />
    </dl>
  )
}
