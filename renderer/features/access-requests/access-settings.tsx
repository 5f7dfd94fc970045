import { Autocomplete, Modal, Switch, Text, Textarea } from '@mantine/core'
import type { AccessSettings, Project } from '../../../server/contract'
import { accessSettingsSchema } from '../../../server/contract/accounts/access-requests'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'
import { Warning } from '../../ui/feedback/warning'
import { LimitField, limitIn, limitText, NumberField, numberIn } from '../../ui/number-field'
import { plainInput } from '../../ui/plain-input'
import { useConfigureAccess } from './use-access-requests'

interface DialogProps {
  project: Project
  saved: AccessSettings
  isOpen: boolean
  onClose: () => void
}

/** Chooses whether visitors can ask for access, and what approved people get. */
export const AccessSettingsDialog = ({ isOpen, onClose, ...props }: DialogProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Requests for access" returnFocus={false}>
    <SettingsForm onClose={onClose} {...props} />
  </Modal>
)

const schema = accessSettingsSchema.required({ note: true, channel: true, days: true })

function SettingsForm({ project, saved, onClose }: Omit<DialogProps, 'isOpen'>) {
  const configure = useConfigureAccess(project.project_id)
  const form = useApiForm({
    saved: {
      is_open: saved.is_open,
      note: saved.note,
      channel: saved.channel,
      days: String(saved.days),
      limit: limitText(saved.limit),
    },
    schema,
    toInput: ({ days, limit, ...values }) => ({
      ...values,
      days: numberIn(days),
      limit: limitIn(limit),
    }),
    failed: 'Failed to save the settings',
    send: async ({ limit = null, ...settings }) => {
      await configure.mutateAsync({ ...settings, limit })
      onClose()
    },
  })
  const { is_open: isOpen } = form.values

  return (
    <FormFrame form={form} submit="Save" onCancel={onClose}>
      <Switch
        label="Visitors can ask for access"
        description="The project page links to a form. People need no account."
        data-autofocus
        checked={isOpen}
        onChange={({ currentTarget }) => form.setFieldValue('is_open', currentTarget.checked)}
      />
      {isOpen && !project.is_public && (
        <Warning title="Nobody sees the form yet">
          Make the project public on the Settings tab. Drafts and other channels stay private.
        </Warning>
      )}
      <Textarea
        label="Note on the form"
        description="Who you are looking for, and what testers get."
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('note')}
      />
      <Autocomplete
        label="Channel"
        description="Approved people get this channel and stable."
        data={['beta', 'nightly', 'stable']}
        {...plainInput}
        {...form.getInputProps('channel')}
      />
      <NumberField
        label="Links work"
        unit="days"
        inputMode="numeric"
        {...form.getInputProps('days')}
      />
      <LimitField
        label="Most testers"
        description="The form closes when this many people are approved. Leave empty for no limit."
        {...form.getInputProps('limit')}
      />
      <Text size="sm" c="dimmed">
        Changes to channel and days apply to later approvals.
      </Text>
    </FormFrame>
  )
}
