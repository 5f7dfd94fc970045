import { Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { downloadUrl } from '../../paths'
import { LateMenu } from '../../ui/table/late-menu'
import { RowDownload } from '../../ui/table/row-action'
import { useIsPhone } from '../../ui/table/use-is-phone'
import type { FileMenuProps } from './file-row-menu'

const FileRowMenu = lazyPage(() => import('./file-row-menu'), 'FileRowMenu')

/** Download and menu of a row. */
export function FileActions(props: FileMenuProps) {
  const { file_id, filename } = props.file
  const isPhone = useIsPhone()
  const size = isPhone ? 'xl' : 'md'
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {!isPhone && <RowDownload icon={IconDownload} verb="Download" what={filename} href={downloadUrl.file(file_id)} />}
      <LateMenu label={`Actions for ${filename}`} size={size}>
        {(isOpen) => <FileRowMenu {...props} size={size} defaultOpened={isOpen} />}
      </LateMenu>
    </Group>
  )
}
