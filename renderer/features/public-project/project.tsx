import { Title } from '@mantine/core'
import { Suspense } from 'react'
import type { Project as ProjectRecord } from '../../../server/contract'
import { useHead } from '../../lib/words/head'
import { visitorPlatform } from '../../../server/contract/visitor/visitor-platform'
import { paths } from '../../paths'
import { Markdown } from '../../ui/markdown/markdown'
import { CardSkeleton } from '../../ui/table/skeletons'
import { chooseDownload } from '../../../server/contract/visitor/choose-download'
import { Downloads } from './downloads/downloads'
import { ProjectHeader } from './project-header'
import { ProjectSidebar } from './project-sidebar'
import classes from './project.module.css'
import { structuredData } from './structured-data'
import type { UpdatesFeed } from './updates-feed'

export function Project({ project, Updates }: { project: ProjectRecord; Updates: UpdatesFeed }) {
  const { title, summary, description, owner, slug, project_id } = project
  const platform = visitorPlatform(navigator.userAgent, navigator.maxTouchPoints)
  useHead({
    title,
    description: summary || `${title} by ${owner}`,
    canonical: paths.publicProject(slug),
    jsonLd: structuredData(project),
    robots: project.is_public ? undefined : 'noindex',
  })
  return (
    <article className={classes.page}>
      <ProjectHeader project={project} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Downloads project={project} choice={chooseDownload(project.downloads, platform)} />
          {description !== '' && (
            <section aria-labelledby="about">
              <Title order={2} id="about" mb="xs">
                About
              </Title>
              <Markdown text={description} />
            </section>
          )}
        </div>
        <ProjectSidebar project={project} />
        <section className={classes.updates} aria-labelledby="updates">
          <Title order={2} id="updates" mb="md">
            Latest updates
          </Title>
          <Suspense fallback={<CardSkeleton />}>
            <Updates projectId={project_id} canPost={false} />
          </Suspense>
        </section>
      </div>
    </article>
  )
}
