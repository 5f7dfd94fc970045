import { Select, type SelectProps } from '@mantine/core'
import type { Project } from '../../../server/contract'

interface ProjectSelectProps extends SelectProps {
  projects: readonly Project[] | undefined
}

/** Chooses one of these projects. */
export const ProjectSelect = ({ projects = [], ...props }: ProjectSelectProps) => (
  <Select
    searchable
    nothingFoundMessage="No project of that name"
    data={projects.map(({ project_id, title }) => ({ value: project_id, label: title }))}
    {...props}
  />
)
