import { Anchor, Box, Card, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Project } from '../../../../server/contract'
import { formatExactTime } from '../../../lib/texts/format'
import { Markdown } from '../../../ui/markdown/markdown'
import { CopyButton } from '../../../ui/text/copy-button'
import classes from './project-details.module.css'

export function ProjectDetails({ project }: { project: Project }) {
  const { project_id, slug, owner, project_url, created_at, updated_at, description, can } = project
  return (
    <Card component="section" aria-label="Details">
      <Title order={2} size="h3" mb="sm">
        Details
      </Title>
      {!can.includes('update') && description !== '' && (
        <Box mb="md">
          <Markdown text={description} small />
        </Box>
      )}
      <dl className={classes.list}>
        <Detail name="Owner">{owner}</Detail>
        <Detail name="Project ID">
          <Mono value={project_id} label="Copy project ID" />
        </Detail>
        <Detail name="Short name">
          <Mono value={slug} label="Copy short name" />
        </Detail>
        {project_url && (
          <Detail name="Website">
            <Anchor href={project_url} target="_blank" rel="noreferrer">
              {project_url}
            </Anchor>
          </Detail>
        )}
        <Detail name="Created">{formatExactTime(created_at)}</Detail>
        <Detail name="Updated">{formatExactTime(updated_at)}</Detail>
      </dl>
    </Card>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Mono({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text component="span" ff="monospace" truncate>
        {value}
      </Text>
      <CopyButton value={value} label={label} look="icon" />
    </Group>
  )
}
