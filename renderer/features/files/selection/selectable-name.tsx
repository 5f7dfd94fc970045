import { Badge, Checkbox, Group, Stack } from '@mantine/core'
import type { File } from '../../../../server/contract'
import { WarningList } from '../../../ui/feedback/warning-list'
import { copyWarnings } from '../facts/copy-warnings'
import { DescribedName } from '../facts/described-name'
import classes from './selection.module.css'
import type { Selection } from './use-selection'

interface SelectableNameProps {
  file: File
  selection: Selection
  onDetails: () => void
}

/** A file's name with its checkbox. Shift extends the selection from the last checkbox. */
export function SelectableName({ file, selection, onDetails }: SelectableNameProps) {
  const { filename } = file

  return (
    <Stack gap={4} miw={0}>
      <Group gap={0} wrap="nowrap" miw={0}>
        {/* Otherwise a click with Shift selects the text of the rows too. */}
        <label
          className={classes.one}
          onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        >
          <Checkbox
            size="sm"
            aria-label={`Select ${filename}`}
            checked={selection.isSelected(file)}
            onChange={({ currentTarget: { checked }, nativeEvent }) =>
              selection.toggle(file, checked, (nativeEvent as MouseEvent).shiftKey)
            }
          />
        </label>
        <DescribedName file={file} onDetails={onDetails} />
      </Group>
      {file.received && <ReceivedFrom received={file.received} />}
      <WarningList warnings={copyWarnings(file)} />
    </Stack>
  )
}

function ReceivedFrom({ received }: { received: NonNullable<File['received']> }) {
  const { from, request, is_new } = received

  return (
    <Group gap={6} fz="xs" c="dimmed">
      {is_new && <Badge size="sm">New</Badge>}
      <span>
        From <bdi>{from}</bdi>, for <bdi>{request}</bdi>
      </span>
    </Group>
  )
}
