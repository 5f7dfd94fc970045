import { Group } from '@mantine/core'
import { FileIcon } from '../../ui/file-icon'
import { MiddleEllipsis } from '../../ui/middle-ellipsis'

/** Type and name of a file, on one line. */
export function FileName({ filename }: { filename: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <FileIcon filename={filename} />
      <MiddleEllipsis text={filename} />
    </Group>
  )
}
