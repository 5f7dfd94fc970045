import { NativeSelect, Stack, TextInput } from '@mantine/core'
import {
  FILE_REQUEST_DAYS,
  fileRequestFieldsSchema,
  REQUESTED_FILES,
  type FileRequest,
} from '../../../server/contract'
import { MB } from '../../../server/contract/limits'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { FormFrame } from '../../ui/form-frame'
import { Disclosure } from '../../ui/layout/disclosure'
import { NumberField, numberIn } from '../../ui/number-field'
import {
  EndFields,
  findEndMistake,
  linkInput,
  LinkPasswordFields,
  linkValues,
  type LinkValues,
} from '../share-links/link-fields'
import { useSaveFileRequest } from './use-file-requests'

interface Values extends LinkValues {
  most_files: string
  /** In MB. Empty: no limit. */
  most_bytes: string
  /** Empty: none. */
  project_id: string
}

interface RequestFormProps {
  /** Undefined: a new link. */
  saved: FileRequest | undefined
  onSaved: (request: FileRequest) => void
  onCancel: (() => void) | undefined
}

/** Creates or changes a file request. Without a change, a new one lasts a week. */
export function RequestForm({ saved, onSaved, onCancel }: RequestFormProps) {
  const form = useRequestForm({ saved, onSaved })
  const own = useMyProjects().data?.filter(({ role }) => role === 'owner') ?? []
  const { password, most_bytes, project_id } = form.errors

  return (
    <FormFrame
      form={form}
      submit={saved ? 'Save changes' : 'Create link'}
      {...(onCancel && { onCancel })}
    >
      <TextInput
        label="What you ask for"
        description="People who open the link see it, and your username."
        placeholder="Save games"
        withAsterisk
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <EndFields
        values={form.values}
        days={FILE_REQUEST_DAYS}
        lastDay={form.getInputProps('expires_at')}
        onEnd={(end) => form.setFieldValue('end', end)}
        onDay={(day) => form.setFieldValue('expires_at', day)}
      />
      <NumberField
        label="Files"
        description="The link ends after so many files."
        {...form.getInputProps('most_files')}
      />
      <Disclosure
        label="Password, size and project"
        hasMistake={[password, most_bytes, project_id].some(Boolean)}
        isOpen={saved !== undefined}
      >
        <Stack gap="md">
          <LinkPasswordFields
            saved={saved}
            values={form.values}
            password={form.getInputProps('password')}
            open={form.getInputProps('open', { type: 'checkbox' })}
          />
          <NumberField
            label="Size of all files"
            unit="MB"
            description="Leave empty for no limit but half of your storage."
            placeholder="No limit"
            {...form.getInputProps('most_bytes')}
          />
          {own.length > 0 && (
            <NativeSelect
              label="Project"
              description="Its webhooks hear of each file. The files themselves stay in My Files."
              data={[
                { value: '', label: 'None' },
                ...own.map(({ project_id: value, title }) => ({ value, label: title })),
              ]}
              {...form.getInputProps('project_id')}
            />
          )}
        </Stack>
      </Disclosure>
    </FormFrame>
  )
}

function useRequestForm({ saved, onSaved }: Omit<RequestFormProps, 'onCancel'>) {
  const { create, change } = useSaveFileRequest()
  const values: Values = {
    ...linkValues(saved),
    most_files: String(saved?.most_files ?? REQUESTED_FILES.usual),
    most_bytes: saved?.most_bytes == null ? '' : String(saved.most_bytes / MB),
    project_id: saved?.project_id ?? '',
  }

  return useApiForm({
    saved: values,
    schema: fileRequestFieldsSchema,
    toInput: (entered) => ({
      ...linkInput(entered, saved),
      most_files: numberIn(entered.most_files),
      most_bytes: entered.most_bytes === '' ? null : Math.round(numberIn(entered.most_bytes) * MB),
      project_id: entered.project_id || null,
    }),
    findMistakes: findEndMistake,
    send: async (fields, { open }) => {
      if (!saved) return onSaved((await create(fields)).file_request)
      const changed = { ...fields, ...(open && { password: null }) }
      onSaved((await change({ requestId: saved.request_id, ...changed })).file_request)
    },
    failed: saved ? 'Failed to change the link' : 'Failed to create the link',
  })
}
