import type { Passkey } from '../../../../server/contract'
import { queryKeys } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
import { confirm } from '../../../ui/dialog/confirm'
import { openForm } from '../open-form'
import { createPasskey, PasskeyRefused } from './passkey-browser'

const ENDS_OTHERS = 'You are signed out everywhere else.'

/** Changes of a person's second factors. Each asks again who they are. */
export function useFactorActions() {
  const refresh = [queryKeys.factors, queryKeys.accountSessions, queryKeys.session]

  const beginCodes = useCall((client) => client.factors.beginCodes({}), {
    after: (_cache, begun) =>
      openForm('Set up codes', async () => {
        const { CodesSetup } = await import('./codes-setup')
        return ({ onDone }) => <CodesSetup begun={begun} onDone={onDone} />
      }),
    failed: 'Failed to set up codes',
  })

  const addPasskey = useCall((client) => createPasskey(client), {
    after: (_cache, response) =>
      openForm('Add passkey', async () => {
        const { NewPasskey } = await import('./passkey-name')
        return ({ onDone }) => <NewPasskey response={response} onDone={onDone} />
      }),
    failed: (_input, cause) =>
      cause instanceof PasskeyRefused ? cause.message : 'Failed to add a passkey',
  })

  const removeCodes = useCall((client) => client.factors.removeCodes({}), {
    ask: () =>
      confirm({
        title: 'Remove codes',
        message: `You will no longer be asked for a code when you sign in. ${ENDS_OTHERS}`,
        confirmLabel: 'Remove codes',
        danger: true,
      }),
    done: 'Codes removed',
    failed: 'Failed to remove the codes',
    refresh,
  })

  const removePasskey = useCall(
    (client, { passkey_id: id }: Passkey) => client.factors.removePasskey({ id }),
    {
      ask: ({ name }) =>
        confirm({
          title: `Remove ${name}`,
          message: `This passkey no longer signs you in. ${ENDS_OTHERS}`,
          confirmLabel: 'Remove passkey',
          danger: true,
        }),
      done: (_reply, { name }) => `${name} is removed`,
      failed: ({ name }) => `Failed to remove ${name}`,
      refresh,
    },
  )

  const renewRecoveryCodes = useCall((client) => client.factors.renewRecoveryCodes({}), {
    ask: () =>
      confirm({
        title: 'New recovery codes',
        message: 'The recovery codes that you have stop working.',
        confirmLabel: 'Create new codes',
      }),
    after: async (_cache, { recovery_codes }) =>
      (await import('./show-recovery-codes')).showRecoveryCodes(recovery_codes),
    failed: 'Failed to create recovery codes',
    refresh,
  })

  const renamePasskey = ({ passkey_id: id, name }: Passkey) =>
    void openForm('Rename passkey', async () => {
      const { RenamePasskey } = await import('./passkey-name')
      return ({ onDone }) => <RenamePasskey id={id} name={name} onDone={onDone} />
    })

  return { beginCodes, addPasskey, removeCodes, removePasskey, renewRecoveryCodes, renamePasskey }
}
