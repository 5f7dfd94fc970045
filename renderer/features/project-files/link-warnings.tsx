import { Stack, Text } from '@mantine/core'
import type { WarnedFile } from '../files/projects/use-link-files'
import { Warning } from '../../ui/feedback/warning'
import { WarningList } from '../../ui/feedback/warning-list'
import { formatFiles, formatQuantity } from '../../lib/texts/format'

interface LinkWarningsProps {
  files: readonly WarnedFile[]
  onDismiss: () => void
}

/** 'Added, with 1 warning' */
function addedText(files: readonly WarnedFile[]): string {
  const count = files.reduce((sum, { warnings }) => sum + warnings.length, 0)
  const what = files.length === 1 ? 'Added' : `Added ${formatFiles(files.length)}`
  return `${what}, with ${formatQuantity(count, 'warning')}`
}

/** Warns about newly added files that look wrong. */
export function LinkWarnings({ files, onDismiss }: LinkWarningsProps) {
  return (
    <Warning title={addedText(files)} onDismiss={onDismiss}>
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
