import { Modal } from '@mantine/core'
import type { File } from '../../../../server/contract'
import { formatFiles } from '../../../lib/texts/format'
import { ProjectSelect } from '../../../lib/forms/project-select'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { NeedsProject } from '../../../lib/links/needs-project'
import { FormFrame } from '../../../ui/form-frame'
import { commonPlatform } from '../../uploads/form/prepare-release'
import { HandedOver, ReleaseFields } from '../../uploads/form/release-fields'
import { useLinkFiles } from './use-link-files'

interface AddToProjectProps {
  /** None: the dialog is closed. */
  files: readonly File[]
  onDone: () => void
}

/** A dialog that adds files to one of your projects. */
export function AddToProject({ files, onDone }: AddToProjectProps) {
  return (
    <Modal
      opened={files.length > 0}
      onClose={onDone}
      title={`Add ${formatFiles(files.length)} to a project`}
      size="lg"
    >
      {files.length > 0 && <AddForm files={files} onDone={onDone} />}
    </Modal>
  )
}

function AddForm({ files, onDone }: AddToProjectProps) {
  const projects = useMyProjects().data?.filter(({ can }) => can.includes('link'))
  const link = useLinkFiles()
  const form = useApiForm({
    saved: {
      project: '',
      version: files.length === 1 ? (files[0]?.version ?? '') : '',
      channel: '',
      isDraft: false,
      platform: commonPlatform(files.map(({ filename }) => filename)),
    },
    findMistakes: ({ project }) => (project === '' ? { project: 'Choose a project' } : {}),
    send: async ({ project, ...release }) => {
      await link({ projectId: project, files, release })
      onDone()
    },
    failed: (cause) => ({ text: cause instanceof Error ? cause.message : '' }),
  })

  const { project } = form.values
  const chosen = projects?.find(({ project_id }) => project_id === project)
  const { onChange, ...field } = form.getInputProps('project') as { onChange: (id: string) => void }

  return (
    <FormFrame
      form={form}
      submit="Add to project"
      button={{ disabled: projects?.length === 0 }}
      onCancel={onDone}
    >
      {projects?.length === 0 ? (
        <NeedsProject />
      ) : (
        <ProjectSelect
          label="Project"
          placeholder="Choose a project"
          data-autofocus
          projects={projects}
          {...field}
          onChange={(id) => onChange(id ?? '')}
        />
      )}
      <HandedOver project={chosen} />
      {project !== '' && <ReleaseFields form={form} projectId={project} />}
    </FormFrame>
  )
}
