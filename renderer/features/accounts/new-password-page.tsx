import { Anchor, Loader } from '@mantine/core'
import { Link, useNavigate } from 'react-router-dom'
import { newPasswordSchema } from '../../../server/contract'
import { newPasswordForm } from '../../../server/texts/account-texts'
import { ApiError } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { explainFailure } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useLinkToken } from '../../lib/hooks/use-link-token'
import { useSession } from '../../lib/session/session'
import { paths } from '../../paths'
import { Loaded } from '../../ui/feedback/loaded'
import { FormFrame } from '../../ui/form-frame'
import { AccountCard } from './account-card'
import { LinkProblem } from './link-problem'
import { isRepeated, NewPasswordFields, notRepeated, repeatedPassword } from './new-password-fields'

/** The page of a link by which a person sets a new password. */
export function NewPasswordPage() {
  const link = useLinkToken('link') ?? ''
  const look = useLoad(
    queryKeys.passwordLink(link),
    (client, signal) => client.accounts.lookPasswordLink({ link }, signal),
    // A refetch after the change would report the link as used.
    { staleTime: Infinity },
  )

  const { data, error } = look
  const isInvalid = error instanceof ApiError && error.code === 'password_link_invalid'

  return (
    <AccountCard
      title={newPasswordForm.title}
      text={data ? `For ${data.username}'s account` : newPasswordForm.text}
      footer={
        <Anchor component={Link} to={paths.login}>
          Login
        </Anchor>
      }
    >
      {isInvalid ? (
        <LinkProblem title="This link does not work" text={error.message} />
      ) : (
        <Loaded
          query={look}
          title="The link could not be checked"
          skeleton={<Loader mx="auto" aria-label="Checking the link" />}
        >
          {({ username }) => <NewPasswordForm link={link} username={username} />}
        </Loaded>
      )}
    </AccountCard>
  )
}

/** The contract's rules, plus the repeated password. */
const schema = newPasswordSchema.extend(repeatedPassword).refine(isRepeated, notRepeated)

function NewPasswordForm({ link, username }: { link: string; username: string }) {
  const client = useClient()
  const navigate = useNavigate()
  const { user, signOut } = useSession()

  const form = useApiForm({
    saved: { new_password: '', repetition: '' },
    schema,
    send: async ({ new_password }) => {
      const { message } = await client.accounts.usePasswordLink({ link, new_password })
      if (user) await signOut()
      await navigate(paths.login, { state: { message, username } })
    },
    failed: explainFailure(newPasswordForm),
  })

  return (
    <FormFrame form={form} submit="Set password" button={{ size: 'md', fullWidth: true }}>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <NewPasswordFields form={form} autoFocus />
    </FormFrame>
  )
}
