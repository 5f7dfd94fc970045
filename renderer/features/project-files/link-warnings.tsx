import { Stack, Text } from '@mantine/core'
import type { WarnedFile } from '../files/projects/use-link-files'
import { Warning } from '../../ui/feedback/warning'
import { WarningList } from '../../ui/feedback/warning-list'

interface LinkWarningsProps {
  files: readonly WarnedFile[]
  onDismiss: () => void
}

/** Says what is unusual about files that were just added. */
export function LinkWarnings({ files, onDismiss }: LinkWarningsProps) {
  return (
    <Warning
      title={files.length === 1 ? 'Added with warnings' : `${files.length} files were added with warnings`}
      onDismiss={onDismiss}
    >
      <Stack gap="sm">
        {files.map(({ filename, warnings }, index) => (
          <Stack key={index} gap={4}>
            <Text fw={600} component="bdi" style={{ overflowWrap: 'anywhere' }}>
              {filename}
            </Text>
            <WarningList warnings={warnings} />
          </Stack>
        ))}
      </Stack>
    </Warning>
  )
}
