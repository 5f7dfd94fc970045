import { IconDownload } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { downloadUrl } from '../../paths'
import { LateMenu, MenuButton } from '../../ui/table/late-menu'
import { RowActions, RowDownload } from '../../ui/table/row-action'
import { useIsPhone } from '../../ui/table/use-is-phone'
import type { FileMenuProps } from './file-row-menu'

const AddToProject = lazyPage(() => import('./projects/add-to-project'), 'AddToProject')

const FileRowMenu = lazyPage(() => import('./file-row-menu'), 'FileRowMenu')

/** Download and menu of a row. */
export function FileActions(props: FileMenuProps) {
  const { file_id, filename } = props.file
  const isPhone = useIsPhone()
  const [isAdding, setAdding] = useState<boolean>()

  return (
    <RowActions>
      {!isPhone && (
        <RowDownload
          icon={IconDownload}
          verb="Download"
          what={filename}
          href={downloadUrl.file(file_id)}
        />
      )}
      <LateMenu
        button={<MenuButton label={`Actions for ${filename}`} size={isPhone ? 'xl' : 'md'} />}
      >
        {(start) => <FileRowMenu {...props} {...start} onAdd={() => setAdding(true)} />}
      </LateMenu>
      <Suspense>
        {isAdding !== undefined && (
          <AddToProject files={isAdding ? [props.file] : []} onDone={() => setAdding(false)} />
        )}
      </Suspense>
    </RowActions>
  )
}
