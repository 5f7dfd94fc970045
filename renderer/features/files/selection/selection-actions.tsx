import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconChecks,
  IconDots,
  IconLock,
  IconStack2,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import { messages } from '../../../lib/texts/messages'
import type { useSelectedActions } from './use-selected-actions'

type ActionsProps = Pick<ReturnType<typeof useSelectedActions>, 'setPublic' | 'remove'> & {
  onAdd: () => void
}

/** Selects the files of the other pages too, or cancels that. */
export interface OtherPages {
  text: string
  onClick: () => void
}

export function ActionButtons({ setPublic, remove, onAdd }: ActionsProps) {
  return (
    <>
      <Button variant="default" leftSection={<IconStack2 size={16} />} onClick={onAdd}>
        Add to project…
      </Button>
      <Button
        variant="default"
        leftSection={<IconWorld size={16} />}
        onClick={() => setPublic(true)}
      >
        {messages.file.makePublic}
      </Button>
      <Button
        variant="default"
        leftSection={<IconLock size={16} />}
        onClick={() => setPublic(false)}
      >
        {messages.file.makePrivate}
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} />}
        onClick={remove}
      >
        Delete
      </Button>
    </>
  )
}

export function ActionMenu({
  setPublic,
  remove,
  onAdd,
  others,
}: ActionsProps & { others: OtherPages | undefined }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="input-sm" aria-label="Actions for the selected files">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {others && (
          <Menu.Item leftSection={<IconChecks size={16} />} onClick={others.onClick}>
            {others.text}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconWorld size={16} />} onClick={() => setPublic(true)}>
          {messages.file.makePublic}
        </Menu.Item>
        <Menu.Item leftSection={<IconLock size={16} />} onClick={() => setPublic(false)}>
          {messages.file.makePrivate}
        </Menu.Item>
        <Menu.Item leftSection={<IconStack2 size={16} />} onClick={onAdd}>
          Add to project…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} />}
          onClick={remove}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
