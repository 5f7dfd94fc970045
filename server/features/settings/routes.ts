import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { background } from '../../core/background'
import { api, type MachineAddress, type RestoredSettings } from '../../contract'
import { AppError } from '../../core/errors'
import { userIdOf } from '../../access/actor'
import { RateLimit } from '../../http/pipeline/rate-limit'
import { serve } from '../../http/endpoint/serve'
import {
  internetWords,
  openHeldSettings,
  bucketTexts,
  mailWords,
  ssoWords,
  settleHeld,
} from '../../data/settings/restored-settings'
import {
  mailNames,
  type InternetSettings,
  type SettingsData,
} from '../../data/settings/settings-schema'
import { changeSecrets } from '../../data/settings/secrets'
import { checkSso, forgetSsoSecret, saveSsoSecret, ssoState } from '../single-sign-on/settings'
import { findKeysState } from '../repositories/signers'
import { move } from './listen-elsewhere'
import type { OwnAddress } from '../../core/net/own-address'
import { changedSettings, differences, present } from './presenter'

/** Test messages in an hour. */
const MAIL_TESTS = 20
/** Checks of the provider of single sign-on in an hour. */
const SSO_TESTS = 60

type Deps = Rooms<
  'accounts' | 'data' | 'host' | 'network' | 'notices' | 'repositories' | 'singleSignOn'
>

const presentAll = async (context: Deps) => ({
  settings: {
    ...present(context),
    ...nameState(context),
    ...mailState(context),
    ...ssoState(context),
  },
  overridden: [...context.host.overridden],
  authority: authorityOf(context),
  machine_addresses: context.network.addresses.own().flatMap(describeForOthers),
  restored: await readRestoredSettings(context),
  release_keys: await findKeysState(context),
})

/** Settings, for the host account at the window. */
export function settingsRoutes(router: Router, context: Deps): void {
  const { secrets, settings, dataDir, disk } = context.data
  const show = () => presentAll(context)
  const setMailPassword = (mailPassword: string | undefined) =>
    changeSecrets(dataDir, secrets, { mailPassword }, disk)

  serve(router, api.settings.show, show)

  serve(router, api.settings.change, async ({ input, ctx }) => {
    const before = present(context)

    const {
      port,
      sharing,
      shared_addresses,
      name_update_password: password,
      mail_password,
      sso_client_secret,
      ...rest
    } = input
    const next = { ...settings.get(), ...changedSettings(rest, settings.get()) }

    checkNameUpdate(
      next,
      password === undefined ? secrets.namePassword !== undefined : password !== null,
    )

    const isMailChanged = checkMail(context, next, mail_password)
    checkSso(context, next)

    const asksHttps = Object.keys(rest).some((name) => name.startsWith('https'))
    if (asksHttps) await context.network.https.check(next)
    await move(context, { port, sharing, shared_addresses })

    // A saved password goes to no other server.
    if (next.mail_server !== before.mail_server && secrets.mailPassword !== undefined)
      await setMailPassword(undefined)
    await forgetSsoSecret(context, next)
    await settings.update(changedSettings(rest, settings.get()))
    if (sso_client_secret !== undefined) await saveSsoSecret(context, sso_client_secret)
    if (password !== undefined) await changeNamePassword(context, password)
    if (mail_password !== undefined) await setMailPassword(mail_password ?? undefined)
    if (isMailChanged) context.notices.sender.wake('mail')
    if (asksHttps) await context.network.https.refresh()
    await followAddresses(context, before.internet_name)

    const detail = differences(before, present(context), {
      name_update_password: password !== undefined,
      mail_password: mail_password !== undefined,
      sso_client_secret: sso_client_secret !== undefined,
    })
    if (detail !== '') context.accounts.audit.record(ctx, { kind: 'settings_change', detail })
    return show()
  })

  const tests = new RateLimit(MAIL_TESTS, 3600, 'Too many test messages; try again later')
  serve(router, api.settings.testMail, async ({ input, ctx, actor }) => {
    const { mailer } = context.notices
    if (!mailer.isOn())
      throw new AppError('invalid_input', 'Save a mail server and a sender first', 'mail_server')
    await tests.take(userIdOf(actor))

    const outcome = await mailer.send({
      id: context.host.sources.newId(),
      to: input.email,
      subject: 'Test message from Slipway',
      text: 'If you can read this, this host can send mail.\n',
    })
    context.accounts.audit.record(ctx, { kind: 'mail_test' })
    return { problem: 'problem' in outcome ? outcome.problem : null }
  })

  const ssoTests = new RateLimit(SSO_TESTS, 3600, 'Too many checks; try again later')
  serve(router, api.settings.testSso, async ({ actor }) => {
    await ssoTests.take(userIdOf(actor))
    return context.singleSignOn.signOn.check()
  })

  serve(router, api.settings.settleRestored, async ({ input, ctx }) => {
    const restored = await readRestoredSettings(context)

    await settleHeld(context.data, input.accept)
    await context.network.addresses.look()

    if (restored !== null) {
      const decision = input.accept ? 'accepted' : 'discarded'
      const detail = `settings of the backup ${decision}: ${wordsOf(restored)}`
      context.accounts.audit.record(ctx, { kind: 'settings_change', detail })
    }
    return show()
  })

  serve(router, api.settings.keepNewKeys, async ({ ctx }) => {
    await context.repositories.dates.forgetSigners()
    context.accounts.audit.record(ctx, {
      kind: 'settings_change',
      detail: 'new keys for repositories accepted',
    })
    return show()
  })
}

/** Throws `invalid_input` for the first field that updating the name still needs. */
function checkNameUpdate(settings: InternetSettings, hasPassword: boolean): void {
  const {
    internet_name: name,
    name_update: way,
    name_update_url: url,
    name_update_user: user,
  } = settings
  if (way === 'off') return

  const missingError = (field: string, message: string) =>
    new AppError('invalid_input', message, field)
  if (name === '') throw missingError('internet_name', 'Enter the name to update')
  if (url === '') throw missingError('name_update_url', 'Enter the address to call for an update')

  if (way === 'address') return
  if (user === '') throw missingError('name_update_user', 'Enter the user name at your provider')
  if (!hasPassword)
    throw missingError('name_update_password', 'Enter the password at your provider')
}

/**
 * Throws `invalid_input` for the first field that the mail server still needs. Returns whether
 * something of it changes. No password travels in the clear.
 */
function checkMail(
  { data: { settings } }: Rooms<'data'>,
  next: Readonly<SettingsData>,
  password: string | null | undefined,
): boolean {
  const now = settings.get()
  const isChanged = password !== undefined || mailNames.some((name) => next[name] !== now[name])
  if (!isChanged || next.mail_server === '') return isChanged

  const missingError = (field: string, message: string) =>
    new AppError('invalid_input', message, field)
  if (next.mail_from === '')
    throw missingError('mail_from', 'Enter the address that emails come from')
  if (next.mail_user === '') return isChanged

  const isHere = ['localhost', '127.0.0.1', '::1'].includes(next.mail_server)
  if (next.mail_security === 'none' && !isHere) {
    throw missingError(
      'mail_security',
      'The password would travel without encryption. Choose STARTTLS or TLS',
    )
  }

  return isChanged
}

/** Forgets a refusal first: a crash in between must not leave that of the old password. */
async function changeNamePassword(
  { data: { dataDir, secrets, disk }, network }: Rooms<'data' | 'network'>,
  password: string | null,
): Promise<void> {
  await network.name.retry()
  await changeSecrets(dataDir, secrets, { namePassword: password ?? undefined }, disk)
}

/**
 * Moves an open host from the name `before` to a new one, in the background because it needs a
 * certificate.
 */
async function followAddresses(
  { data, host, network: { addresses, internet } }: Rooms<'data' | 'host' | 'network'>,
  before: string,
): Promise<void> {
  await addresses.look()
  if (data.settings.get().internet_name === before || internet.view().way !== 'router') return
  const following = background(host.log, 'cannot use the new name of this host yet')
  following(() => internet.check(false))
}

const nameState = ({ data: { secrets }, network: { name } }: Rooms<'data' | 'network'>) => ({
  name_update_password_set: secrets.namePassword !== undefined,
  name_update_problem: 'problem' in name.state ? name.state.problem : null,
})

const mailState = ({
  data: { secrets },
  notices: { mailer, queue },
}: Rooms<'data' | 'notices'>) => ({
  mail_password_set: secrets.mailPassword !== undefined,
  mail_problem: mailer.problem,
  mails_dropped: queue.dropped,
})

async function readRestoredSettings({
  data: { dataDir },
}: Rooms<'data'>): Promise<RestoredSettings | null> {
  const held = await openHeldSettings(dataDir).read()
  if (held === null) return null
  return {
    public_url: held.public_url,
    trusted_proxies: held.trusted_proxies,
    webhook_networks: held.webhook_networks,
    npm_registry: held.npm_registry,
    python_index: held.python_index,
    update_feed: held.update_feed,
    mail: mailWords(held),
    single_sign_on: ssoWords(held),
    internet: internetWords(held),
    mirror: held.mirror && bucketTexts(held.mirror),
  }
}

const wordsOf = (settings: RestoredSettings): string =>
  Object.values(settings)
    .flat()
    .filter((it) => it !== null && it !== '')
    .join(', ')

/** Excludes loopback and link-local addresses. */
const describeForOthers = ({ address, kind }: OwnAddress): MachineAddress[] =>
  kind === 'loopback' || kind === 'link_local' ? [] : [{ address, kind }]

/** Where devices learn to trust this host. Uses HTTP, because they do not trust it yet. */
function authorityOf({
  network: { https, addresses, internet },
}: Rooms<'network'>): { url: string; fingerprint: string } | null {
  const { authority } = https
  const best = addresses.list().find(({ url, offered }) => offered && url !== internet.origin())
  if (!authority || best === undefined) return null
  return {
    url: `${best.url.replace(/^https:/, 'http:')}/trust`,
    fingerprint: authority.fingerprint256,
  }
}
