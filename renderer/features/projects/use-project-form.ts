import { useForm } from '@mantine/form'
import { projectFieldsSchema, type Project } from '../../../server/contract'
import { useDraft } from '../../lib/forms/draft'
import { failureField, failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { validateBy } from '../../lib/forms/validate-by'

export type ProjectValues = {
  title: string
  short_description: string
  description: string
  is_public: boolean
  project_url: string
}

const blank: ProjectValues = { title: '', short_description: '', description: '', is_public: false, project_url: '' }

export const valuesOf = ({
  title,
  short_description,
  description,
  is_public,
  project_url,
}: Project): ProjectValues => ({
  title,
  short_description,
  description,
  is_public,
  project_url: project_url ?? '',
})

interface ProjectFormOptions {
  draft: string
  saved?: ProjectValues
  failed: string
  send: (values: ProjectValues) => Promise<unknown>
}

export type ProjectForm = ReturnType<typeof useProjectForm>

export function useProjectForm({ draft: draftName, saved = blank, failed, send }: ProjectFormOptions) {
  const draft = useDraft<ProjectValues>(draftName)
  const form = useForm<ProjectValues>({
    mode: 'controlled',
    initialValues: { ...saved, ...draft.load() },
    validate: validateBy(projectFieldsSchema),
    onValuesChange: (values) => (differ(values, saved) ? draft.save(values) : draft.clear()),
  })

  const submit = form.onSubmit(async (values) => {
    if (form.submitting) return
    const clean = { ...projectFieldsSchema.parse(values), project_url: values.project_url.trim() }
    try {
      await send(clean)
      form.setValues(clean)
      draft.clear()
    } catch (cause) {
      form.setFieldError(failureField(cause, Object.keys(blank)) ?? 'form', failureText(cause, { failed }))
    }
  }, focusFirstError(form))

  const reset = () => {
    form.setValues(saved)
    form.clearErrors()
    draft.clear()
  }
  return { form, submit, reset, isChanged: differ(form.values, saved) }
}

const differ = (values: ProjectValues, saved: ProjectValues): boolean =>
  Object.entries(saved).some(([name, value]) => values[name as keyof ProjectValues] !== value)
