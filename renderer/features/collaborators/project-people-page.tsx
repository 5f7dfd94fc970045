import { Card, Skeleton, Stack, Text } from '@mantine/core'
import type { ComponentType } from 'react'
import type { Project } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { useOpenProject } from '../../lib/host/open-project'
import { AddCollaborator } from './add-collaborator'
import classes from './people.module.css'
import { Person } from './person'
import { useCollaborators, useRemoveCollaborator } from './use-collaborators'

interface ProjectPeoplePageProps {
  /** The tester links of the project, for its members. */
  Testers: ComponentType<{ project: Project }>
  /** The requests for access to it, for its members. */
  Requests: ComponentType<{ project: Project }>
  /** Its previews, for its members. */
  Previews: ComponentType<{ project: Project }>
}

export function ProjectPeoplePage({ Testers, Requests, Previews }: ProjectPeoplePageProps) {
  const project = useOpenProject()
  const mayChange = project.can.includes('collaborate')

  return (
    <Stack gap="xl">
      <Stack gap="md">
        <div>
          <Text c="dimmed">
            Collaborators can view and download all files of this project, including private ones.
          </Text>
          <Text c="dimmed">
            Maintainers can also add and remove files, and publish, promote and withdraw releases.
          </Text>
        </div>
        {mayChange && <AddCollaborator key={project.project_id} projectId={project.project_id} />}
        <People project={project} mayChange={mayChange} />
      </Stack>
      {project.can.includes('testers') && (
        <AfterFirstView>
          <Stack gap="xl" key={project.project_id}>
            <Testers project={project} />
            <Requests project={project} />
            <Previews project={project} />
          </Stack>
        </AfterFirstView>
      )}
    </Stack>
  )
}

/** The specification asks to ignore a list that fails to load. */
function People({
  project: { project_id, owner },
  mayChange,
}: {
  project: Project
  mayChange: boolean
}) {
  const { data, error } = useCollaborators(project_id)
  const remove = useRemoveCollaborator(project_id)

  return (
    <Card padding={0}>
      <ul className={classes.list} aria-label="Team">
        <Person username={owner} role="owner" />
        {!data && !error && <Skeleton component="li" h={24} m="md" w={160} aria-label="Loading" />}
        {data?.collaborators.map((username) => {
          const role = data.maintainers.includes(username) ? 'maintainer' : 'collaborator'
          const change = { projectId: project_id, onRemove: () => remove(username) }
          return (
            <Person key={username} username={username} role={role} {...(mayChange && { change })} />
          )
        })}
      </ul>
    </Card>
  )
}
