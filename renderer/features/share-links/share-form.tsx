import { Stack, TextInput } from '@mantine/core'
import { shareLinkFieldsSchema, SHARE_LINK_DAYS, type ShareLink } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
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
} from './link-fields'
import { useSaveShareLink } from './use-share-links'

interface Values extends LinkValues {
  /** Empty: no limit. */
  most_downloads: string
}

interface ShareFormProps {
  fileId: string
  /** Undefined: a new link. */
  saved: ShareLink | undefined
  onSaved: (link: ShareLink) => void
  onCancel: (() => void) | undefined
}

/** Creates or changes a share link. Without a change, a new one lasts a week. */
export function ShareForm({ fileId, saved, onSaved, onCancel }: ShareFormProps) {
  const form = useShareForm({ fileId, saved, onSaved })
  const { name, password, most_downloads } = form.errors

  return (
    <FormFrame
      form={form}
      submit={saved ? 'Save changes' : 'Create link'}
      {...(onCancel && { onCancel })}
    >
      <EndFields
        values={form.values}
        days={SHARE_LINK_DAYS}
        lastDay={form.getInputProps('expires_at')}
        onEnd={(end) => form.setFieldValue('end', end)}
        onDay={(day) => form.setFieldValue('expires_at', day)}
      />
      <Disclosure
        label="Password, limit and name"
        hasMistake={[name, password, most_downloads].some(Boolean)}
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
            label="Downloads"
            description="The link ends after so many complete downloads. Leave empty for no limit."
            placeholder="No limit"
            {...form.getInputProps('most_downloads')}
          />
          <TextInput
            label="Name"
            description="Optional. Who the link is for; only you see it."
            placeholder="Kim, QA"
            autoComplete="off"
            {...form.getInputProps('name')}
          />
        </Stack>
      </Disclosure>
    </FormFrame>
  )
}

function useShareForm({ fileId, saved, onSaved }: Omit<ShareFormProps, 'onCancel'>) {
  const { create, change } = useSaveShareLink(fileId)
  const values: Values = {
    ...linkValues(saved),
    most_downloads: saved?.most_downloads?.toString() ?? '',
  }

  return useApiForm({
    saved: values,
    schema: shareLinkFieldsSchema,
    toInput: (entered) => ({
      ...linkInput(entered, saved),
      ...(entered.most_downloads !== '' && { most_downloads: numberIn(entered.most_downloads) }),
    }),
    findMistakes: findEndMistake,
    send: async (fields, { open }) => {
      if (!saved) return onSaved((await create(fields)).share_link)
      const { most_downloads = null } = fields
      const changed = { ...fields, most_downloads, ...(open && { password: null }) }
      onSaved((await change({ shareId: saved.share_id, ...changed })).share_link)
    },
    failed: saved ? 'Failed to change the link' : 'Failed to create the link',
  })
}
