import { Button, Card, Checkbox, Group, Select, Stack, Text, Title } from '@mantine/core'
import { formatSize } from '../../../lib/texts/format'
import { messages } from '../../../lib/texts/messages'
import { countOf } from '../../../lib/client/each-file'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import type { UploadOptions } from '../upload'
import { ChosenFile } from './chosen-file'
import classes from './chosen-files-form.module.css'
import { ReleaseFields } from './release-fields'
import type { ChosenFiles } from './use-chosen-files'

interface ChosenFilesFormProps {
  chosen: ChosenFiles
  fixedProject?: boolean
}

export function ChosenFilesForm({ chosen, fixedProject = false }: ChosenFilesFormProps) {
  const { choices, accepted, form, change, drop, clear, start, isStarting } = chosen
  const bytes = accepted.reduce((sum, { size }) => sum + size, 0)

  return (
    <Card component="section" aria-label="Upload" padding="md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <Stack gap="md">
          <Title order={2} size="h3">
            Upload {accepted.length < choices.length && `${accepted.length} of `}
            {countOf(choices.length)}
          </Title>
          <ul className={classes.files} aria-label="Chosen files">
            {choices.map((choice, index) => (
              <ChosenFile key={index} choice={choice} onRemove={() => drop(choice.file)} />
            ))}
          </ul>
          {!fixedProject && <ProjectSelect value={form.project?.id} onChange={(project) => change({ project })} />}
          {form.project && <ReleaseFields {...form} projectId={form.project.id} onChange={change} />}
          <Checkbox
            label={choices.length > 1 ? messages.file.makeThesePublic : messages.file.makeThisPublic}
            description={visibilityHint(form, choices.length > 1 ? 'them' : 'it')}
            checked={form.isPublic}
            onChange={(event) => change({ isPublic: event.currentTarget.checked })}
          />
          <Group gap="xs">
            <Button type="submit" disabled={accepted.length === 0} loading={isStarting}>
              Upload
            </Button>
            <Button variant="subtle" color="gray" onClick={clear}>
              Cancel
            </Button>
            <Text c="dimmed" size="xs" ml="auto">
              {formatSize(bytes)}
            </Text>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

function visibilityHint({ isPublic, project }: ChosenFiles['form'], it: 'it' | 'them'): string {
  if (isPublic) return 'Anyone who reaches this host can download what is public.'
  if (project?.isPublic) return `${project.title} is public, but its visitors do not see private files.`
  if (project) return `Private: only you and the people on the project can download ${it}.`
  return `Private: only you can download ${it}.`
}

interface ProjectSelectProps {
  value: string | undefined
  onChange: (project: UploadOptions['project']) => void
}

function ProjectSelect({ value, onChange }: ProjectSelectProps) {
  const projects = useMyProjects().data?.filter(({ can }) => can.includes('link')) ?? []
  if (projects.length === 0) return null
  const choose = (id: string | null) => {
    const project = projects.find(({ project_id }) => project_id === id)
    onChange(project && { id: project.project_id, title: project.title, isPublic: project.is_public })
  }
  return (
    <Select
      label="Add to project"
      description="Optional"
      placeholder="No project"
      clearable
      searchable
      nothingFoundMessage="No project of that name"
      data={projects.map(({ project_id, title }) => ({ value: project_id, label: title }))}
      value={value ?? null}
      onChange={choose}
    />
  )
}
