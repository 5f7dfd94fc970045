import { Modal, Radio, Stack, Text } from '@mantine/core'
import { REPORT_FILE_DAYS, type ReportSettings } from '../../../server/contract'
import { inBytes, inMegabytes } from '../../lib/forms/megabytes'
import { useApiForm } from '../../lib/forms/use-api-form'
import { formatSize } from '../../lib/texts/format'
import { FormFrame } from '../../ui/form-frame'
import { LimitField, limitIn, limitText, NumberField } from '../../ui/number-field'
import { useConfigureReports } from './use-reports'

const DAYS = `Enter 1 to ${REPORT_FILE_DAYS.most} days`

const isDays = (days: number | null): boolean =>
  days === null || (Number.isInteger(days) && days >= 1 && days <= REPORT_FILE_DAYS.most)

interface DialogProps {
  projectId: string
  saved: ReportSettings
  isOpen: boolean
  onClose: () => void
}

/** Chooses who may report, and how much storage reports may use. */
export const ReportSettingsDialog = ({ isOpen, onClose, ...props }: DialogProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Report settings" returnFocus={false}>
    <SettingsForm onClose={onClose} {...props} />
  </Modal>
)

function SettingsForm({ projectId, saved, onClose }: Omit<DialogProps, 'isOpen'>) {
  const configure = useConfigureReports(projectId)
  const form = useApiForm({
    saved: {
      reporters: saved.reporters,
      room: inMegabytes(saved.room),
      file_days: limitText(saved.file_days),
    },
    findMistakes: ({ room, file_days }): Partial<Record<string, string>> => ({
      ...((inBytes(room) ?? 0) < 1024 * 1024 && { room: 'Enter at least 1 MB' }),
      ...(!isDays(limitIn(file_days)) && { file_days: DAYS }),
    }),
    failed: 'Failed to save the settings',
    send: async ({ reporters, room, file_days }) => {
      await configure.mutateAsync({
        reporters,
        room: inBytes(room) ?? saved.room,
        file_days: limitIn(file_days),
      })
      onClose()
    },
  })

  return (
    <FormFrame form={form} submit="Save" onCancel={onClose}>
      <Radio.Group label="Who can send reports" {...form.getInputProps('reporters')}>
        <Stack gap="xs" mt={4}>
          <Radio value="off" label="Nobody" />
          <Radio value="testers" label="Testers, with their link" data-autofocus />
          <Radio value="everyone" label="Everyone who can open the project page" />
        </Stack>
      </Radio.Group>
      <NumberField
        label="Storage for reports"
        unit="MB"
        description="Part of your storage, for the files and texts of all reports of this project."
        inputMode="decimal"
        {...form.getInputProps('room')}
      />
      <LimitField
        label="Delete files of fixed and closed reports after"
        description="Texts and answers stay. Leave empty to keep the files."
        placeholder="Never"
        unit="days"
        {...form.getInputProps('file_days')}
      />
      <Text size="sm" c="dimmed">
        {formatSize(saved.used)} used.
      </Text>
    </FormFrame>
  )
}
