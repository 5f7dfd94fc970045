import { Badge, Group } from '@mantine/core'
import { FileIcon } from '../../ui/file-icon'
import { MiddleEllipsis } from '../../ui/middle-ellipsis'

/** Type, name and, where it is known, version of a file, on one line. */
export function FileName({ filename, version }: { filename: string; version?: string | null }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <FileIcon filename={filename} />
      <MiddleEllipsis text={filename} />
      {version && (
        <Badge color="gray" ff="monospace" maw={120} style={{ flexShrink: 0 }} title={`Version ${version}`}>
          {version}
        </Badge>
      )}
    </Group>
  )
}
