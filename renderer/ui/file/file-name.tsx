import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { MiddleEllipsis } from '../text/middle-ellipsis'
import { FileIcon } from './file-icon'

interface FileNameProps {
  filename: string
  /** Address of the icon of the app inside. */
  icon?: string | null
  /** A line below the name. */
  children?: ReactNode
}

export function FileName({ filename, icon, children }: FileNameProps) {
  return (
    <Group gap="xs" wrap="nowrap" miw={0} maw="100%">
      <FileIcon filename={filename} icon={icon} size={24} />
      <Stack gap={0} miw={0} align="flex-start">
        <MiddleEllipsis text={filename} />
        {children}
      </Stack>
    </Group>
  )
}
