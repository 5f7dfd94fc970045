import { Anchor, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Project } from '../../../server/contract'
import { formatCount, formatWhole } from '../../lib/words/format'
import { Stat } from '../../ui/chart/stat'
import { Time } from '../../ui/text/time'
import classes from './project.module.css'
import { ShareLink } from './share-link'

export function ProjectSidebar({ project }: { project: Project }) {
  const { owner, created_at, updated_at, project_url, stats, downloads } = project
  return (
    <aside className={classes.side} aria-label="About this project">
      <Stack gap="lg">
        <ShareLink slug={project.slug} />
        <dl className={classes.numbers}>
          <Stat
            label="Downloads"
            value={formatCount(stats.total_downloads)}
            hint={formatWhole(stats.total_downloads)}
          />
          <Stat label="Views" value={formatCount(stats.views)} hint={formatWhole(stats.views)} />
        </dl>
        <section>
          <Title order={2} size="h4" mb="xs">
            Information
          </Title>
          <dl className={classes.facts}>
            <Fact name="Owner">{owner}</Fact>
            <Fact name="Files">{formatWhole(downloads.length)}</Fact>
            <Fact name="Published">
              <Time value={created_at} />
            </Fact>
            <Fact name="Updated">
              <Time value={updated_at} />
            </Fact>
            {project_url && (
              <Fact name="Website">
                <Anchor href={project_url} target="_blank" rel="noopener noreferrer nofollow ugc">
                  {new URL(project_url).host}
                </Anchor>
              </Fact>
            )}
          </dl>
        </section>
      </Stack>
    </aside>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Text component="dt">{name}</Text>
      <dd>{children}</dd>
    </>
  )
}
