import { Select } from '@mantine/core'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import type { UploadOptions } from '../upload'

interface ProjectSelectProps {
  value: string | undefined
  onChange: (project: UploadOptions['project']) => void
}

export function ProjectSelect({ value, onChange }: ProjectSelectProps) {
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
