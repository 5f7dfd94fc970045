import { Card, Checkbox, Select, Text, Title } from '@mantine/core'
import { formatSize } from '../../../lib/texts/format'
import { countOf } from '../../../lib/client/each-file'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { FormFrame } from '../../../ui/form-frame'
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
  const { choices, accepted, form, drop, clear } = chosen
  const { project } = form.values
  const bytes = accepted.reduce((sum, { size }) => sum + size, 0)
  const total = choices.length > 1 && (
    <Text c="dimmed" size="xs" ml="auto">
      {formatSize(bytes)}
    </Text>
  )
  return (
    <Card component="section" aria-label="Upload" padding="md">
      <FormFrame form={form} submit="Upload" button={{ disabled: accepted.length === 0 }} onCancel={clear} end={total}>
        <Title order={2} size="h3">
          Upload {accepted.length < choices.length && `${accepted.length} of `}
          {countOf(choices.length)}
        </Title>
        <ul className={classes.files} aria-label="Chosen files">
          {choices.map((choice, index) => (
            <ChosenFile key={index} choice={choice} onRemove={() => drop(choice.file)} />
          ))}
        </ul>
        {!fixedProject && (
          <ProjectSelect value={project?.id} onChange={(picked) => form.setFieldValue('project', picked)} />
        )}
        {project && <ReleaseFields form={form} projectId={project.id} />}
        <Checkbox
          label={choices.length > 1 ? 'Make these files public' : 'Make this file public'}
          description={visibilityHint(form.values, choices.length > 1 ? 'them' : 'it')}
          {...form.getInputProps('isPublic', { type: 'checkbox' })}
        />
      </FormFrame>
    </Card>
  )
}

function visibilityHint({ isPublic, project }: ChosenFiles['form']['values'], it: 'it' | 'them'): string {
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
