import { Anchor, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import type { Project, TesterLink } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import { CopyButton } from '../../ui/text/copy-button'
import { formatQuantity } from '../../lib/texts/format'
import { downloadUrl } from '../../paths'
import type { DialogContent } from './tester-dialog'
import { RemindTesters } from './remind-testers'
import { TestersTable } from './testers-table'
import { useRevokeTester, useTesters } from './use-testers'

const TesterDialog = lazyPage(() => import('./tester-dialog'), 'TesterDialog')

export function TesterLinks({ project }: { project: Project }) {
  const [below, setBelow] = useState<string>()
  const testers = useTesters(project.project_id, below)
  const revoke = useRevokeTester(project.project_id)
  const [content, setContent] = useState<DialogContent>({})
  const dialog = useLateDialog()

  const open = (next: DialogContent) => {
    setContent(next)
    dialog.open()
  }

  const create = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => open({})}>
      Create tester link
    </Button>
  )

  return (
    <Stack component="section" gap="md" aria-labelledby="tester-links">
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 16rem">
          <Title order={2} size="h3" id="tester-links">
            Tester links
          </Title>
          <Text c="dimmed">
            Share one channel, private files included, with people who have no account.
          </Text>
        </Stack>
        {testers.data && (testers.data.testers.length > 0 || below !== undefined) && create}
      </Group>
      <Loaded
        query={testers}
        title="The tester links could not be loaded"
        skeleton={<TableSkeleton rows={2} />}
      >
        {({ testers: links, by_version: versions }) =>
          links.length === 0 && below === undefined ? (
            <EmptyState
              icon={IconUsersGroup}
              title="No tester links yet"
              text={
                'Create one for each group, so that you can revoke one without touching the ' +
                'others.'
              }
              action={create}
            />
          ) : (
            <>
              <Versions versions={versions} links={links} below={below} onChange={setBelow} />
              {below !== undefined && (
                <RemindTesters projectId={project.project_id} below={below} />
              )}
              {below === undefined && <Devices projectId={project.project_id} links={links} />}
              <TestersTable testers={links} onEdit={(saved) => open({ saved })} onRevoke={revoke} />
            </>
          )
        }
      </Loaded>
      <AfterFirstView isNeeded={dialog.isNeeded}>
        <TesterDialog
          project={project}
          isOpen={dialog.isOpen}
          shown={content}
          onCreated={(path) => setContent({ path })}
          onClose={dialog.close}
        />
      </AfterFirstView>
    </Stack>
  )
}

interface DevicesProps {
  projectId: string
  links: readonly TesterLink[]
}

/** Gets the identifiers of iPhones and iPads, to register them with Apple. */
function Devices({ projectId, links }: DevicesProps) {
  const all = links.filter(({ active }) => active).flatMap(({ devices }) => devices)
  const confirmed = all.filter((device) => device.confirmed).length
  if (all.length === 0) return null

  return (
    <Group gap="sm">
      <Button
        component="a"
        href={downloadUrl.devices(projectId)}
        download
        variant="default"
        leftSection={<IconDownload size={16} />}
      >
        devices.txt
      </Button>
      <Text c="dimmed" size="sm">
        {formatQuantity(confirmed, 'iPhone or iPad', 'iPhones and iPads')} to register with Apple
      </Text>
      {confirmed < all.length && (
        <Anchor href={downloadUrl.devices(projectId, 'true')} download size="sm">
          Download with {all.length - confirmed} unconfirmed
        </Anchor>
      )}
    </Group>
  )
}

interface VersionsProps {
  versions: readonly { version: string; has: number; below: number }[]
  links: readonly TesterLink[]
  below: string | undefined
  onChange: (below: string | undefined) => void
}

/** Selects the links that have an old version, and copies the addresses of their people. */
function Versions({ versions, links, below, onChange }: VersionsProps) {
  const old = versions.filter((it) => it.below > 0 || it.version === below)
  if (old.length === 0) return null
  const addresses = links.flatMap(({ asked }) => asked?.email ?? [])

  return (
    <Group gap="sm">
      <NativeSelect
        w={{ base: '100%', xs: 220 }}
        aria-label="Version"
        data={[
          { value: '', label: 'All versions' },
          ...old.map((it) => ({
            value: it.version,
            label: `Below ${it.version} (${it.below})`,
          })),
        ]}
        value={below ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
      {below !== undefined && addresses.length > 0 && (
        <CopyButton
          value={addresses.join(', ')}
          label={`Copy ${formatQuantity(addresses.length, 'email address', 'email addresses')}`}
        />
      )}
    </Group>
  )
}
