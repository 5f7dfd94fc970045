import { Group } from '@mantine/core'
import { FileIcon } from './file-icon'
import { MiddleEllipsis } from '../text/middle-ellipsis'

export function FileName({ filename }: { filename: string }) {
  return (
    <Group gap="xs" wrap="nowrap" miw={0} maw="100%">
      <FileIcon filename={filename} />
      <MiddleEllipsis text={filename} />
    </Group>
  )
}
