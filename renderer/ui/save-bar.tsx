import { Button, Group, Paper, Text } from '@mantine/core'
import { SubmitButton } from './form-frame'
import classes from './save-bar.module.css'
import { formatQuantity } from '../lib/texts/format'

interface SaveBarProps {
  form: { changes: readonly string[]; isSending: boolean; reset: () => void }
  /** The id of the form's `FormFrame`. */
  formId: string
  /** Labels of the fields. */
  labels: Readonly<Record<string, string>>
}

/**
 * Bar at the bottom of the screen for a long form: names the changed fields, with Save and Discard.
 */
export function SaveBar({ form, formId, labels }: SaveBarProps) {
  const { changes, reset } = form
  const hasChanges = changes.length > 0

  return (
    <Paper
      withBorder
      className={classes.bar}
      data-at-bottom="bar"
      data-quiet={!hasChanges || undefined}
    >
      <Text className={classes.changes} role="status" c={hasChanges ? '' : 'dimmed'}>
        {hasChanges ? describeChanges(changes, labels) : 'No changes'}
      </Text>
      <Group gap="xs" wrap="nowrap">
        {hasChanges && (
          <Button variant="subtle" color="gray" onClick={reset}>
            Discard
          </Button>
        )}
        <SubmitButton form={form} hasChanges={hasChanges} formId={formId}>
          Save changes
        </SubmitButton>
      </Group>
    </Paper>
  )
}

function describeChanges(changes: readonly string[], labels: SaveBarProps['labels']): string {
  const names = changes.flatMap((name) => labels[name] ?? []).join(', ')
  return `${formatQuantity(changes.length, 'change')}: ${names}`
}
