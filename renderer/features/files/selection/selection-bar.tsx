import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useId, useState, type RefObject } from 'react'
import type { File } from '../../../../server/contract'
import { calls } from '../../../../server/contract/calls'
import { ZIP_MAX } from '../../../../server/contract/limits'
import { address } from '../../../lib/client/api-client'
import { formatFiles, formatSize, formatWhole } from '../../../lib/texts/format'
import { downloadUrl } from '../../../paths'
import { SelectionFrame } from '../../../ui/table/selection-frame'
import { useIsNarrowerThan, useIsPhone } from '../../../ui/table/use-is-phone'
import type { Selection } from '../../../ui/table/use-selection'
import type { Progress } from '../../../lib/client/each-file'
import { AddToProject } from '../projects/add-to-project'
import { ActionButtons, ActionMenu, type OtherPages } from './selection-actions'
import { useSelectedActions } from './use-selected-actions'

const ALL_BUTTONS = 1100
const DAMAGED = 'A damaged file cannot be in a zip'

interface SelectionBarProps {
  selection: Selection<File>
  /** Gets the focus if the bar disappears while focused. */
  nextFocus: RefObject<HTMLElement | null>
  /** How to select the files of the other pages too. */
  others: OtherPages | undefined
}

export function SelectionBar({ selection, nextFocus, others }: SelectionBarProps) {
  const actions = useSelectedActions(selection)
  const isNarrow = useIsNarrowerThan(ALL_BUTTONS)
  const isPhone = useIsPhone()
  const hint = useId()
  const [isAdding, setAdding] = useState(false)
  const add = () => setAdding(true)

  const { selected } = selection
  const size = formatSize(selected.reduce((sum, file) => sum + file.size, 0))
  const { progress } = actions

  return (
    <SelectionFrame
      label="Selected files"
      summary={`${formatFiles(selected.length)} · ${size}`}
      note={progress ? busyNote(progress) : noteOn(selection)}
      noteId={hint}
      nextFocus={nextFocus}
      onClear={selection.clear}
      middle={
        !isPhone &&
        others && (
          <Button variant="subtle" size="compact-sm" onClick={others.onClick}>
            {others.text}
          </Button>
        )
      }
    >
      <DownloadSelected files={selected} hint={hint} isSmall={isPhone} />
      {isNarrow ? (
        <ActionMenu {...actions} onAdd={add} others={isPhone ? others : undefined} />
      ) : (
        <ActionButtons {...actions} onAdd={add} />
      )}
      <AddToProject files={isAdding ? selected : []} onDone={() => setAdding(false)} />
    </SelectionFrame>
  )
}

/** Shows a count only if it takes several calls. */
const busyNote = ({ done, total }: Progress): string =>
  done === 0 ? 'One moment…' : `${formatWhole(done)} of ${formatWhole(total)} are done…`

function noteOn({ selected, hereCount }: Selection<File>): string | undefined {
  const elsewhere = selected.length - hereCount
  return (
    zipProblem(selected) ?? (elsewhere > 0 ? `${formatWhole(elsewhere)} on other pages` : undefined)
  )
}

function zipProblem(files: readonly File[]): string | undefined {
  if (files.length > ZIP_MAX) return `One zip takes ${ZIP_MAX} files at most`
  return files.length > 1 && files.some(({ is_damaged }) => is_damaged) ? DAMAGED : undefined
}

interface DownloadSelectedProps {
  files: readonly File[]
  /** The id of the line that says why it is disabled. */
  hint: string
  /** Only a picture, for a phone. */
  isSmall: boolean
}

function DownloadSelected({ files, hint, isSmall }: DownloadSelectedProps) {
  const ids = files.map(({ file_id }) => file_id)
  const [first = ''] = ids
  const isSingle = ids.length === 1
  const text = isSingle ? 'Download' : 'Download (zip)'
  const href = isSingle
    ? downloadUrl.file(first)
    : address(calls.files.downloadMany, { ids: ids.join(',') }).url

  const what = zipProblem(files)
    ? { disabled: true, 'aria-describedby': hint }
    : ({ component: 'a', download: true, href } as const)
  if (isSmall)
    return (
      <ActionIcon variant="default" size="input-sm" aria-label={text} {...what}>
        <IconDownload size={18} />
      </ActionIcon>
    )

  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} {...what}>
      {text}
    </Button>
  )
}
