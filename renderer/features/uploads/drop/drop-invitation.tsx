import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconFolder, IconUpload } from '@tabler/icons-react'
import type { StorageStats } from '../../../../server/contract'
import { CHOOSE_FILES } from '../../../../server/contract/routes'
import { useHost } from '../../../lib/host/host'
import { formatSize, limitWords } from '../../../lib/texts/format'
import { useIsPhone } from '../../../ui/table/use-is-phone'
import classes from './file-drop.module.css'
import { canChooseFolder, chooseFiles, chooseFolder } from './drop-place'

interface DropInvitationProps {
  /** `page` while there are no files; `bar` above the table. */
  look: 'page' | 'bar'
  storage?: StorageStats | undefined
}

export function DropInvitation({ look, storage }: DropInvitationProps) {
  const isPhone = useIsPhone()

  const largest = limitWords(useHost().largest_file)
  const folder = !isPhone && canChooseFolder() && (
    <Button
      variant="default"
      flex="none"
      h={look === 'bar' ? 'auto' : undefined}
      leftSection={<IconFolder size={16} />}
      onClick={chooseFolder}
    >
      Choose a folder
    </Button>
  )

  if (look === 'bar') {
    return (
      <Group gap="sm" wrap="nowrap" align="stretch">
        <UnstyledButton id={CHOOSE_FILES} className={classes.bar} onClick={chooseFiles}>
          <IconUpload size={20} stroke={1.5} color="var(--accent-text)" aria-hidden />
          <Text fw={600}>
            {isPhone ? 'Choose files to upload' : 'Drop files here or click to browse'}
          </Text>
          <Text c="dimmed" size="xs" ml="auto" ta="right" visibleFrom="sm">
            {storage ? freeText(storage) : `Up to ${largest} each`}
          </Text>
        </UnstyledButton>
        {folder}
      </Group>
    )
  }

  return (
    <Stack gap="sm" align="center">
      <UnstyledButton id={CHOOSE_FILES} className={classes.invitation} onClick={chooseFiles}>
        <IconUpload size={40} stroke={1.5} color="var(--accent-text)" aria-hidden />
        <Text size="lg" fw={600} mt="xs">
          {isPhone ? 'Choose files to upload' : 'Drop files here or click to browse'}
        </Text>
        <Text c="dimmed">APK, IPA, EXE, DMG, ZIP and others, up to {largest} each.</Text>
        <Text c="dimmed">They stay private until you make them public.</Text>
      </UnstyledButton>
      {folder}
    </Stack>
  )
}

/** Says where, if the disk has less room than the quota. */
const freeText = ({ free, quota, used }: StorageStats): string =>
  `${formatSize(free)} free${free < quota - used ? ' on the host' : ''}`
