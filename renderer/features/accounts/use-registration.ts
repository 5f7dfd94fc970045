import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { registrationSchema } from '../../../server/contract'
import { accountTexts, registerForm } from '../../../server/texts/account-texts'
import { useClient } from '../../lib/client/client-context'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useSession } from '../../lib/session/session'
import { useSignInState } from '../../lib/session/sign-in-state'
import { paths } from '../../paths'
import { explainFailure } from '../../lib/client/failure'

/** The contract's rules, plus the repeated password. */
const formSchema = registrationSchema
  .extend({ confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    error: accountTexts.passwordsDiffer,
    path: ['confirmation'],
    when: () => true,
  })

export type RegistrationLink = { setup?: string; invite?: string }

export function useRegistration(link: RegistrationLink) {
  const client = useClient()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { from } = useSignInState()
  const { user, signOut } = useSession()

  return useApiForm({
    saved: { username: '', email: '', password: '', confirmation: '' },
    schema: formSchema,
    send: async ({ confirmation: _, ...account }, { username }) => {
      await client.accounts.register({ ...account, ...link })
      if (user) await signOut()
      // The first account sets the host up.
      await refresh(cache, queryKeys.host)
      await navigate(paths.login, { state: { from, message: accountTexts.registered, username } })
    },
    failed: explainFailure(registerForm),
  })
}
