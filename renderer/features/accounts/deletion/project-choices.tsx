import { NativeSelect, Stack, Text } from '@mantine/core'
import type { DeletionPreview } from '../../../../server/contract'
import { formatFiles, formatSize } from '../../../lib/texts/format'

type Project = DeletionPreview['projects'][number]

/** The new owners of projects, by project. Without one, the project is deleted. */
export type NewOwners = Readonly<Record<string, string>>

interface ProjectChoicesProps {
  projects: readonly Project[]
  owners: NewOwners
  onChange: (owners: NewOwners) => void
}

/** What becomes of each project. */
export const ProjectChoices = ({ projects, owners, onChange }: ProjectChoicesProps) => (
  <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Projects">
    {projects.map((project) => (
      <Stack component="li" key={project.project_id} gap={4}>
        <Text fw={600} component="bdi" style={{ overflowWrap: 'anywhere' }}>
          {project.title}
        </Text>
        <Text size="sm" c="dimmed">
          {project.is_public ? 'Public' : 'Private'} · {formatFiles(project.files)} ·{' '}
          {formatSize(project.size)}
        </Text>
        {project.collaborators.length === 0 ? (
          <Text size="sm">This project has no collaborators, so it will be deleted.</Text>
        ) : (
          <NativeSelect
            aria-label={`What to do with ${project.title}`}
            data={choicesOf(project)}
            value={owners[project.project_id] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...owners, [project.project_id]: value })
            }
          />
        )}
      </Stack>
    ))}
  </Stack>
)

const choicesOf = ({ collaborators }: Project) => [
  { value: '', label: 'Delete it with its files' },
  ...collaborators.map(({ username, role }) => ({
    value: username,
    label: `Give it to ${username} (${role})`,
  })),
]
