import { TextInput } from '@mantine/core'
import { shareLinkFieldsSchema, SHARE_LINK_DAYS, type ShareLink } from '../../../server/contract'
import { LimitField, limitText, numberIn } from '../../ui/number-field'
import { LinkForm, useLinkForm } from '../access-links/link-fields'
import type { LinkFormParts } from '../access-links/links-dialog'
import { useSaveShareLink } from './use-share-links'

const END_NOTE = 'The link ends after this many complete downloads. Leave empty for no limit.'

interface ShareFormProps extends LinkFormParts<ShareLink> {
  fileId: string
}

/** Creates or changes a share link. Without a change, a new one lasts a week. */
export function ShareForm({ fileId, saved, onSaved, onCancel }: ShareFormProps) {
  const { create, change } = useSaveShareLink(fileId)
  const shareId = saved?.share_id ?? ''

  const form = useLinkForm({
    saved,
    /** Empty: no limit. */
    extra: { most_downloads: limitText(saved?.most_downloads) },
    toExtra: ({ most_downloads: most }) => (most === '' ? {} : { most_downloads: numberIn(most) }),
    schema: shareLinkFieldsSchema,
    create: async (fields) => onSaved((await create(fields)).share_link),
    change: async (fields, removed) => {
      const changed = { shareId, most_downloads: null, ...fields, ...removed }
      onSaved((await change(changed)).share_link)
    },
  })

  return (
    <LinkForm
      form={form}
      saved={saved}
      days={SHARE_LINK_DAYS}
      onCancel={onCancel}
      folded={{
        label: 'Password, limit and name',
        names: ['name', 'most_downloads'],
        fields: (
          <>
            <LimitField
              label="Downloads"
              description={END_NOTE}
              {...form.getInputProps('most_downloads')}
            />
            <TextInput
              label="Name"
              description="Optional. Who the link is for; only you see it."
              placeholder="Kim, QA"
              autoComplete="off"
              {...form.getInputProps('name')}
            />
          </>
        ),
      }}
    />
  )
}
