import { NativeSelect, TextInput } from '@mantine/core'
import {
  FILE_REQUEST_DAYS,
  fileRequestFieldsSchema,
  REQUESTED_FILES,
  type FileRequest,
} from '../../../server/contract'
import { inBytes, inMegabytes } from '../../lib/forms/megabytes'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { LimitField, NumberField, numberIn } from '../../ui/number-field'
import { LinkForm, useLinkForm } from '../access-links/link-fields'
import type { LinkFormParts } from '../access-links/links-dialog'
import { useSaveFileRequest } from './use-request-actions'

/** Creates or changes a file request. Without a change, a new one lasts a week. */
export function RequestForm({ saved, onSaved, onCancel }: LinkFormParts<FileRequest>) {
  const form = useRequestForm({ saved, onSaved })
  const own = useMyProjects().data?.filter(({ role }) => role === 'owner') ?? []

  return (
    <LinkForm
      form={form}
      saved={saved}
      days={FILE_REQUEST_DAYS}
      onCancel={onCancel}
      before={
        <TextInput
          label="What you ask for"
          description="People who open the link see it, and your username."
          placeholder="Save games"
          withAsterisk
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
      }
      after={
        <NumberField
          label="Files"
          description="The link ends after this many files."
          {...form.getInputProps('most_files')}
        />
      }
      folded={{
        label: 'Password, kinds, size and project',
        names: ['kinds', 'most_bytes', 'project_id'],
        fields: (
          <>
            <TextInput
              label="Kinds of files"
              description="The endings of their names, such as sav, zip. Leave empty for any kind."
              placeholder="Any kind"
              autoComplete="off"
              {...form.getInputProps('kinds')}
            />
            <LimitField
              label="Size of all files"
              unit="MB"
              inputMode="decimal"
              description="Leave empty for no limit but half of your storage."
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
          </>
        ),
      }}
    />
  )
}

function useRequestForm({ saved, onSaved }: Omit<LinkFormParts<FileRequest>, 'onCancel'>) {
  const { create, change } = useSaveFileRequest()
  const requestId = saved?.request_id ?? ''

  return useLinkForm({
    saved,
    extra: {
      most_files: String(saved?.most_files ?? REQUESTED_FILES.usual),
      /** Endings with commas or spaces between. Empty: any. */
      kinds: saved?.kinds.join(', ') ?? '',
      /** In MB. Empty: no limit. */
      most_bytes: String(inMegabytes(saved?.most_bytes ?? null)),
      /** Empty: none. */
      project_id: saved?.project_id ?? '',
    },
    toExtra: ({ kinds, most_files, most_bytes, project_id }) => ({
      kinds: kinds.split(/[\s,;]+/).filter((kind) => kind !== ''),
      most_files: numberIn(most_files),
      most_bytes: inBytes(most_bytes),
      project_id: project_id || null,
    }),
    schema: fileRequestFieldsSchema,
    create: async (fields) => onSaved((await create(fields)).file_request),
    change: async (fields, removed) =>
      onSaved((await change({ requestId, ...fields, ...removed })).file_request),
  })
}
