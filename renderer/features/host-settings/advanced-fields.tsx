import { Anchor, Button, Stack, Text, Textarea, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { HostSettings, HttpsAuthority } from '../../../server/contract'
import { tierQuota, tiers } from '../../../server/contract/limits'
import { useScrollToHash } from '../../lib/hooks/use-scroll-to-hash'
import { formatSize } from '../../lib/texts/format'
import { paths } from '../../paths'
import { SearchInput } from '../../ui/table/search-input'
import { MailNotes } from './mail-notes'
import { SsoNotes } from './sso-notes'
import { HttpsNotes } from './https-notes'
import { SettingField } from './setting-field'
import type { SettingName } from './setting-rows'
import { findSettings, isAdvanced, type SettingGroup } from './setting-groups'
import classes from './settings.module.css'
import type { SettingsValues } from './settings-values'
import type { SettingsForm } from './use-settings-form'

export interface AdvancedSettingsProps {
  form: SettingsForm
  overridden: readonly (keyof HostSettings)[]
  authority: HttpsAuthority
  /** The port that the host suggests if the chosen one is taken. */
  freePort: string | number | undefined
  onTakeFreePort: () => void
}

/** The fields of all other settings, which a search finds. */
export function AdvancedFields(props: AdvancedSettingsProps) {
  const { errors } = props.form
  const [search, setSearch] = useState('')
  const content = useRef<HTMLDivElement>(null)

  const wrong = Object.keys(errors).filter(isAdvanced)
  useEffect(() => {
    if (document.activeElement?.matches('input, select, textarea')) return
    content.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  useScrollToHash()

  const found = findSettings(search)
  // A field with a mistake stays: it explains why the form was not saved.
  const groups = findSettings('').flatMap(({ names, ...group }) => {
    const matches = found.find(({ id }) => id === group.id)?.names ?? []
    const shown = names.filter((name) => matches.includes(name) || wrong.includes(name))
    return shown.length > 0 ? [{ ...group, names: shown }] : []
  })

  return (
    <Stack gap="xl" id="advanced" ref={content} className={classes.advanced}>
      {/* Enter in the search would save the form. */}
      <div onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
        <SearchInput label="Find a setting" value={search} onChange={setSearch} />
      </div>
      {groups.map((group) => (
        <Group key={group.id} {...props} group={group} />
      ))}
      {groups.length === 0 && <Text c="dimmed">No advanced setting matches “{search}”.</Text>}
    </Stack>
  )
}

const TIERS = Object.fromEntries(
  tiers.map((tier) => [tier, `${tier} (${formatSize(tierQuota[tier])})`]),
)

/** Whether the chosen encryption uses the setting. */
function isUsed(name: SettingName, values: SettingsValues): boolean {
  const { https, mail_server, sso_issuer, sso_group_claim } = values
  if (name === 'sso_tiers') return sso_issuer !== '' && sso_group_claim !== ''
  if (name.startsWith('sso') && name !== 'sso_issuer') return sso_issuer !== ''
  if (name.startsWith('mail') && name !== 'mail_server') return mail_server !== ''
  if (name === 'https_certificate' || name === 'https_key') return https === 'own'
  return name !== 'https_redirect' || https !== 'off'
}

function Group({
  group: { id, title, names },
  form,
  overridden,
  authority,
  ...port
}: AdvancedSettingsProps & { group: SettingGroup }) {
  return (
    <Stack component="section" gap="md" id={id} aria-label={title} className={classes.group}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {id === 'bucket' && <BucketLink />}
      {id === 'internet' && <InternetLink />}
      {id !== 'bucket' &&
        id !== 'internet' &&
        names
          .filter((name) => isUsed(name, form.values))
          .map((name) => (
            <Stack key={name} gap="xs">
              <SettingField
                name={name}
                form={form}
                overridden={overridden}
                Lines={Textarea}
                {...(name === 'default_tier' && { options: TIERS })}
              />
              {name === 'port' && <FreePort {...port} />}
            </Stack>
          ))}
      {id === 'mail' && <MailNotes isSaved={form.values.mail_server !== '' && !form.isChanged} />}
      {id === 'sso' && (
        <SsoNotes
          // A verdict is about the provider that it checked.
          key={`${form.values.sso_issuer} ${form.values.sso_client_id}`}
          isSaved={form.values.sso_issuer !== '' && !form.isChanged}
        />
      )}
      {id === 'encryption' && <HttpsNotes https={form.values.https} authority={authority} />}
    </Stack>
  )
}

const FreePort = ({
  freePort,
  onTakeFreePort,
}: Pick<AdvancedSettingsProps, 'freePort' | 'onTakeFreePort'>) =>
  freePort !== undefined && (
    <Button variant="default" size="xs" style={{ alignSelf: 'start' }} onClick={onTakeFreePort}>
      Use {freePort} instead
    </Button>
  )

const BucketLink = () => (
  <Text c="dimmed">
    An S3-compatible store can send your public builds.{' '}
    <Anchor component={Link} to={paths.hostBucket}>
      Downloads from a bucket
    </Anchor>
  </Text>
)

const InternetLink = () => (
  <Text c="dimmed">
    Name, port, certificate authority, STUN server and tunnel are on the{' '}
    <Anchor component={Link} to={paths.host}>
      Host page
    </Anchor>
    , in From anywhere.
  </Text>
)
