import {
  Combobox,
  Group,
  Kbd,
  Loader,
  Modal,
  Text,
  TextInput,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import {
  IconBolt,
  IconFileText,
  IconSearch,
  IconStack2,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { User } from '../../../server/contract'
import { reasonOf } from '../../lib/client/failure'
import { formatQuantity } from '../../lib/texts/format'
import { FileIcon } from '../../ui/file/file-icon'
import { CreateProjectForm } from '../projects/create-project-form'
import classes from './palette.module.css'
import { rememberRecent } from './recent'
import { useCommands } from './use-commands'
import { useEntries, type Entry } from './use-entries'

/** A file has the icon of its type. */
const pictures: Record<Exclude<Entry['kind'], 'file'>, Icon> = {
  action: IconBolt,
  page: IconFileText,
  project: IconStack2,
  release: IconTag,
  person: IconUser,
}

interface PaletteProps {
  user: User
  /** What was typed while this code loaded. */
  early: string
  onClose: () => void
  onKeys: () => void
  onLogout: () => void
}

/**
 * Finds and opens projects, releases, files, people and pages, and does what can be done with them.
 */
export function Palette({ user, early, onClose, onKeys, onLogout }: PaletteProps) {
  const [typed, setTyped] = useState(early)
  const [isCreating, setCreating] = useState(false)
  const navigate = useNavigate()
  const commands = useCommands({
    newProject: () => setCreating(true),
    keys: onKeys,
    logOut: onLogout,
  })
  const { sections, isSearching, error } = useEntries(user.user_id, typed, commands)

  const entries = sections.flatMap((section) => section.entries)
  const list = useSelectedList(entries, onClose)
  if (isCreating) return <NewProject onClose={onClose} />

  const choose = (id: string) => {
    const entry = entries.find((candidate) => candidate.id === id)
    if (!entry) return
    if (entry.kind !== 'action' || !entry.isInPalette) onClose()
    if (entry.kind === 'action') return void entry.run()
    rememberRecent(user.user_id, entry)
    void navigate(entry.path)
  }

  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={600}
      centered={false}
      yOffset="12vh"
      returnFocus={false}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Combobox store={list} onOptionSubmit={choose}>
          <Combobox.EventsTarget withExpandedAttribute>
            <TextInput
              data-autofocus
              aria-label="Search projects, files, people, pages and actions"
              placeholder="Search projects, files, pages and actions"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              maxLength={200}
              size="md"
              variant="unstyled"
              classNames={{ input: classes.input ?? '' }}
              leftSection={<IconSearch size={18} aria-hidden />}
              rightSection={
                isSearching ? <Loader size={16} aria-hidden /> : <Kbd size="xs">Esc</Kbd>
              }
              rightSectionWidth={56}
            />
          </Combobox.EventsTarget>
          <div className={classes.list}>
            <Combobox.Options p={8} aria-label="Results">
              {sections.map(({ label, entries: some }) => (
                <Combobox.Group key={label} label={label}>
                  {some.map((entry) => (
                    <EntryOption key={entry.id} entry={entry} />
                  ))}
                </Combobox.Group>
              ))}
            </Combobox.Options>
            {entries.length === 0 && (
              <Nothing typed={typed} isSearching={isSearching} error={error} />
            )}
          </div>
          <VisuallyHidden role="status">
            {isSearching ? '' : formatQuantity(entries.length, 'result')}
          </VisuallyHidden>
        </Combobox>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Selects the first entry whenever others are shown, so that Enter opens it. */
function useSelectedList(entries: readonly Entry[], onClose: () => void) {
  const list = useCombobox({ opened: true, onDropdownClose: onClose })
  const selectFirst = useEffectEvent(() => void list.selectFirstOption())
  const ids = entries.map(({ id }) => id).join('\n')
  useEffect(() => selectFirst(), [ids])
  return list
}

function EntryPicture({ entry: { kind, label } }: { entry: Entry }) {
  if (kind === 'file') return <FileIcon filename={label} size={18} />

  const Picture = pictures[kind]
  return <Picture size={18} stroke={1.5} aria-hidden className={classes.picture} />
}

function EntryOption({ entry }: { entry: Entry }) {
  return (
    <Combobox.Option value={entry.id} className={classes.option ?? ''}>
      <Group gap="sm" wrap="nowrap">
        <EntryPicture entry={entry} />
        <Text component="span" truncate flex={1} title={entry.label}>
          {entry.label}
        </Text>
        {entry.detail !== undefined && (
          <Text component="span" size="xs" c="dimmed" truncate maw="45%">
            {entry.detail}
          </Text>
        )}
      </Group>
    </Combobox.Option>
  )
}

function Nothing({
  typed,
  isSearching,
  error,
}: {
  typed: string
  isSearching: boolean
  error: Error | null
}) {
  if (isSearching) return <Combobox.Empty p="lg">Searching …</Combobox.Empty>
  if (error) return <Combobox.Empty p="lg">{reasonOf(error)}</Combobox.Empty>
  return <Combobox.Empty p="lg">Nothing has “{typed.trim()}” in its name.</Combobox.Empty>
}

/** The dialog of the Projects page, anywhere. It closes when the new project opens. */
function NewProject({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  useDidUpdate(onClose, [pathname])
  return (
    <Modal opened onClose={onClose} title="Create project" size="lg" returnFocus={false}>
      <CreateProjectForm onCancel={onClose} />
    </Modal>
  )
}
