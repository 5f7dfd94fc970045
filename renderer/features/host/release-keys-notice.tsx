import { Button, Stack, Text } from '@mantine/core'
import { useHostSettings, useKeepNewKeys } from '../../lib/host/host-settings'
import { Warning } from '../../ui/feedback/warning'

/** Warns on the Host page when package managers no longer accept this host's key. */
export function ReleaseKeysNotice() {
  const state = useHostSettings().data?.release_keys ?? 'good'
  const { mutate, isPending } = useKeepNewKeys()

  if (state === 'good') return null
  if (state === 'damaged')
    return (
      <Warning title="The file of the keys for package managers is damaged">
        Package managers get no updates from this host. Restore release-keys.json in the data folder
        from a backup and restart Slipway. Without a backup, delete the file: then everyone has to
        add your repositories again.
      </Warning>
    )

  return (
    <Warning title="The keys for package managers are lost">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Package managers refuse updates that new keys sign. Restore release-keys.json in the data
          folder from a backup and restart Slipway. Without a backup, use new keys: then everyone
          has to add your repositories again.
        </Text>
        <Button size="xs" variant="default" loading={isPending} onClick={() => mutate(undefined)}>
          Use new keys
        </Button>
      </Stack>
    </Warning>
  )
}
