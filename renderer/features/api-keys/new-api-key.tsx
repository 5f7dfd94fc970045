import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyButton } from '../../ui/copy-button'
import classes from './new-api-key.module.css'

/** A key that was just made. It is not shown again. */
export function NewApiKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Alert color="orange" variant="light" icon={<IconAlertTriangle />} title="Copy this key now">
        It is shown this one time. The host keeps only a fingerprint of it, so nobody can show it to you again.
      </Alert>
      <output className={classes.key} aria-label="API key">
        {value}
      </output>
      <Group justify="flex-end" gap="xs">
        <CopyButton value={value} label="Copy key" />
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
