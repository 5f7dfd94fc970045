import { Button, Checkbox, Paper, Text } from '@mantine/core'
import type { File } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { FileName } from '../../ui/file/file-name'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import classes from './file-picker.module.css'
import type { useLinkableFiles } from './use-linkable-files'

interface FilePickerProps {
  linkable: ReturnType<typeof useLinkableFiles>
  isSearch: boolean
  selected: readonly File[]
  onChange: (selected: readonly File[]) => void
}

/** A list of files with checkboxes. The selection survives a search. */
export function FilePicker({ linkable, isSearch, selected, onChange }: FilePickerProps) {
  const { hasNextPage, fetchNextPage, isFetchingNextPage, total } = linkable

  const toggle = (file: File) => {
    const others = selected.filter(({ file_id }) => file_id !== file.file_id)
    onChange(others.length < selected.length ? others : [...selected, file])
  }
  const isSelected = (file: File) => selected.some(({ file_id }) => file_id === file.file_id)

  return (
    <Loaded query={linkable} skeleton={<TableSkeleton rows={4} />}>
      {(files) =>
        files.length === 0 && !hasNextPage ? (
          <Text c="dimmed" ta="center" py="lg">
            {isSearch
              ? 'No other file has that in its name.'
              : total === 0
                ? 'You have no files yet. Upload one first.'
                : 'All of your files are in this project already.'}
          </Text>
        ) : (
          <Paper withBorder>
            <div className={classes.scroll}>
              <ul className={classes.list} aria-label="Files to add">
                {files.map((file) => (
                  <li key={file.file_id}>
                    <PickableFile
                      file={file}
                      isSelected={isSelected(file)}
                      onToggle={() => toggle(file)}
                    />
                  </li>
                ))}
              </ul>
              {hasNextPage && (
                <Button
                  fullWidth
                  variant="subtle"
                  loading={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  Show more
                </Button>
              )}
            </div>
          </Paper>
        )
      }
    </Loaded>
  )
}

function PickableFile({
  file,
  isSelected,
  onToggle,
}: {
  file: File
  isSelected: boolean
  onToggle: () => void
}) {
  return (
    <label className={classes.row}>
      <Checkbox checked={isSelected} onChange={onToggle} aria-label={file.filename} />
      <span className={classes.name}>
        <FileName filename={file.filename} icon={file.icon_url} />
      </span>
      <Text component="span" size="xs" c="dimmed" className={classes.size}>
        {formatSize(file.size)}
      </Text>
    </label>
  )
}
