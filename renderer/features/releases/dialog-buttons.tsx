import { Button, Group } from '@mantine/core'

export function DialogButtons({
  submit,
  pending,
  onCancel,
}: {
  submit: string
  pending: boolean
  onCancel: () => void
}) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="subtle" color="gray" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={pending}>
        {submit}
      </Button>
    </Group>
  )
}
