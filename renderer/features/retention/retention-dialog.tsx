import { List, Modal, Radio, ScrollArea, Skeleton, Stack, Text } from '@mantine/core'
import { TRASH_DAYS, type RetainedChannel, type RetentionPlan } from '../../../server/contract'
import { stayText } from '../../../server/texts/files/retention-texts'
import { formatDate, formatQuantity, formatSize } from '../../lib/texts/format'
import { Loaded } from '../../ui/feedback/loaded'
import { FormFrame } from '../../ui/form-frame'
import { NumberField } from '../../ui/number-field'
import { DataTable } from '../../ui/table/data-table'
import { useRetentionForm } from './use-retention-form'

interface RetentionDialogProps {
  projectId: string
  channel: RetainedChannel
  isOpen: boolean
  onClose: () => void
}

/** Edits how many releases a channel keeps, with a preview of what moves. */
export function RetentionDialog({ projectId, channel, isOpen, onClose }: RetentionDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      size="lg"
      title={`Old releases of ${channel.channel}`}
    >
      <RetentionForm projectId={projectId} channel={channel} onClose={onClose} />
    </Modal>
  )
}

function RetentionForm({ projectId, channel, onClose }: Omit<RetentionDialogProps, 'isOpen'>) {
  const { form, preview, plan, mistake, isLast } = useRetentionForm(projectId, channel, onClose)
  const total = (isLast && plan?.total) || 0

  return (
    <FormFrame
      form={form}
      submit={total > 0 ? `Save and move ${formatQuantity(total, 'release')}` : 'Save'}
      button={{ disabled: isLast && mistake === undefined && plan === undefined }}
      onCancel={onClose}
    >
      <Radio.Group label="Keep" {...form.getInputProps('mode')}>
        <Stack gap="xs" mt={4}>
          <Radio value="all" label="All releases" data-autofocus />
          <Radio value="last" label="Only the last releases" />
        </Stack>
      </Radio.Group>
      {isLast && (
        <NumberField
          label="How many"
          inputMode="numeric"
          {...form.getInputProps('count')}
          error={mistake}
        />
      )}
      {isLast && mistake === undefined && (
        <div aria-live="polite">
          <Loaded
            query={preview}
            title="The preview could not be loaded"
            skeleton={<Skeleton h={120} />}
          >
            {(data) => <Preview plan={data} />}
          </Loaded>
        </div>
      )}
    </FormFrame>
  )
}

/** Releases that move to the trash, and older ones that stay. */
function Preview({ plan: { keep, releases, total, size, stays } }: { plan: RetentionPlan }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        {total === 0 ? 'No release is old enough to move.' : describeMove(total, size)} From now on,
        each new release moves what is older than {keep === 1 ? 'the last one' : `the last ${keep}`}
        .
      </Text>
      {total > 0 && (
        <ScrollArea.Autosize mah={220} type="auto">
          <DataTable
            label="Releases that move"
            rows={releases}
            rowKey={({ version }) => version}
            columns={[
              { header: 'Version', onPhone: 'title', cell: ({ version }) => version },
              {
                header: 'Published',
                width: 190,
                cell: ({ published_at }) => formatDate(published_at),
              },
              {
                header: 'Size',
                width: 110,
                align: 'right',
                cell: (release) => formatSize(release.size),
              },
            ]}
          />
          {total > releases.length && (
            <Text size="sm">and {formatQuantity(total - releases.length, 'release')} more</Text>
          )}
        </ScrollArea.Autosize>
      )}
      {stays.length > 0 && (
        <div>
          <Text size="sm">These stay, too:</Text>
          <List size="sm" spacing={2} mt={4} style={{ overflowWrap: 'anywhere' }}>
            {stays.map((stay) => (
              <List.Item key={stay.version}>
                {stay.version}: {stayText(stay)}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  )
}

function describeMove(total: number, size: number): string {
  const [move, them] = total === 1 ? ['moves', 'it'] : ['move', 'them']
  const to = `to the trash, from where you can restore ${them} for ${TRASH_DAYS} days.`
  return `${formatQuantity(total, 'release')} (${formatSize(size)}) ${move} ${to}`
}
