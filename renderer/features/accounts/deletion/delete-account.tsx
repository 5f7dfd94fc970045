import { List, Skeleton, Stack, Text } from '@mantine/core'
import { accountDeletionSchema, type DeletionPreview } from '../../../../server/contract'
import { useClient } from '../../../lib/client/client-context'
import { explainFailure } from '../../../lib/client/failure'
import { queryKeys } from '../../../lib/client/query-keys'
import { useLoad } from '../../../lib/client/use-load'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { useSession } from '../../../lib/session/session'
import {
  formatDate,
  formatFiles,
  formatQuantity,
  formatSize,
  joinWords,
} from '../../../lib/texts/format'
import { Loaded } from '../../../ui/feedback/loaded'
import { FormFailure } from '../../../ui/form-failure'
import { FormFrame } from '../../../ui/form-frame'
import { useHasPassword } from '../sso/use-identity'
import { PasswordField } from '../../../ui/password-field'
import { ProjectChoices, type NewOwners } from './project-choices'

/** Asks what becomes of the projects, and for the password. */
export function DeleteAccount({ onDone }: { onDone: () => void }) {
  const query = useLoad(
    queryKeys.accountDeletion,
    async (client, signal) => (await client.accounts.previewDeletion({}, signal)).deletion,
    { staleTime: 0, gcTime: 0 },
  )

  return (
    <Loaded
      query={query}
      title="The deletion summary could not be loaded"
      skeleton={<Skeleton h={260} role="status" aria-label="Loading" />}
    >
      {(preview) => <DeletionForm preview={preview} onDone={onDone} />}
    </Loaded>
  )
}

function DeletionForm({ preview, onDone }: { preview: DeletionPreview; onDone: () => void }) {
  const hasPassword = useHasPassword()
  const form = useDeletionForm({ hasPassword, onDone })
  const { projects } = preview

  return (
    <FormFrame form={form} submit="Delete account" button={{ color: 'red.8' }} onCancel={onDone}>
      {projects.length > 0 && (
        <ProjectChoices
          projects={projects}
          owners={form.values.hand_over}
          onChange={(owners) => form.setFieldValue('hand_over', owners)}
        />
      )}
      <Consequences preview={preview} />
      {/* Near the button: the list above it may be long. */}
      {form.errors['hand_over'] && <FormFailure text={form.errors['hand_over']} />}
      {hasPassword && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...(projects.length === 0 && { 'data-autofocus': true })}
          {...form.getInputProps('current_password')}
        />
      )}
    </FormFrame>
  )
}

/** What happens beside the projects. */
function Consequences({ preview }: { preview: DeletionPreview }) {
  const { files, size, memberships, restorable_days: days } = preview
  const ended = endingOf(preview)

  return (
    <Stack gap={4}>
      <List size="sm" spacing={4}>
        {files > 0 && (
          <List.Item>
            Deleted: {formatFiles(files)} ({formatSize(size)}), except those of projects that you
            give away.
          </List.Item>
        )}
        <List.Item>
          You are signed out everywhere, and all links to your pages and files end at once.
        </List.Item>
        {ended !== '' && <List.Item>Permanently deleted: {ended}.</List.Item>}
        {memberships > 0 && (
          <List.Item>
            You leave {formatQuantity(memberships, 'project')} of other people. What you added there
            stays, without your name.
          </List.Item>
        )}
        <List.Item>
          For {days} days the host can restore your account. After that, only its entries in the
          audit log, for 90 days, and in backups remain.
        </List.Item>
      </List>
      <Text size="sm">
        To keep a copy, close this and select <b>Export everything</b> first.
      </Text>
    </Stack>
  )
}

function endingOf({ api_keys, file_requests, previews }: DeletionPreview): string {
  const parts = [
    ...(api_keys > 0 ? [formatQuantity(api_keys, 'API key')] : []),
    ...(file_requests > 0 ? [formatQuantity(file_requests, 'file request')] : []),
    ...(previews > 0 ? [formatQuantity(previews, 'preview')] : []),
  ]
  return joinWords(parts)
}

interface Values {
  current_password: string
  hand_over: NewOwners
}

function useDeletionForm({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const client = useClient()
  const { signOut } = useSession()

  return useApiForm({
    saved: { current_password: '', hand_over: {} },
    schema: accountDeletionSchema,
    toInput: ({ current_password, hand_over }: Values) => ({
      ...(hasPassword && { current_password }),
      hand_over: Object.entries(hand_over)
        .filter(([, username]) => username !== '')
        .map(([project_id, username]) => ({ project_id, username })),
    }),
    send: async (input) => {
      const { restorable_until } = await client.accounts.remove(input)
      onDone()

      const farewell =
        `Your account is deleted. Until ${formatDate(restorable_until)}, the person who runs ` +
        'this host can restore it.'

      await signOut(farewell)
    },
    failed: explainFailure({ failed: 'Failed to delete the account' }),
    failuresAt: 'current_password',
  })
}
