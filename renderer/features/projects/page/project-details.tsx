import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../../server/contract'
import { useShareUrl } from '../../../lib/host/host'
import { formatExactTime } from '../../../lib/texts/format'
import { paths } from '../../../paths'
import { Markdown } from '../../../ui/markdown/markdown'
import { CopyButton } from '../../../ui/text/copy-button'
import classes from './project-details.module.css'

/** Facts about a project; for readers also the owner's description. */
export function ProjectDetails({ project }: { project: Project }) {
  const { slug, owner, project_url, created_at, updated_at, short_description, description, can } =
    project
  const page = paths.publicProject(slug)
  const address = useShareUrl()(page)
  const isReader = !can.includes('update')

  return (
    <>
      {isReader && short_description !== '' && <Text mb="sm">{short_description}</Text>}
      {isReader && description !== '' && (
        <Box mb="md">
          <Markdown text={description} small />
        </Box>
      )}
      <dl className={classes.list}>
        <Detail name="Owner">{owner}</Detail>
        <Detail name="Address">
          <Mono text={page} value={address} label="Copy address" />
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
    </>
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

/** What programs need to name the project: for the API and `slipway push`. */
export const ProjectForPrograms = ({ project: { project_id } }: { project: Project }) => (
  <Stack gap="xs">
    <dl className={classes.list}>
      <Detail name="Project ID">
        <Mono value={project_id} label="Copy project ID" />
      </Detail>
    </dl>
    <Group gap="4px 16px">
      <Anchor component={Link} to={`${paths.apiKeys}?project=${project_id}`}>
        Upload from CI
      </Anchor>
      <Anchor component={Link} to={paths.docs}>
        API docs
      </Anchor>
    </Group>
  </Stack>
)

function Mono({ value, text = value, label }: { value: string; text?: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text component="span" ff="monospace" truncate>
        {text}
      </Text>
      <CopyButton value={value} label={label} look="icon" />
    </Group>
  )
}
