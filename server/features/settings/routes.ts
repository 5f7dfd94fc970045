import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { background } from '../../core/background'
import { api, type MachineAddress, type RestoredSettings } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { internetWords, mirrorWords, readHeld, settleHeld } from '../../data/settings/restored-settings'
import { changeSecrets } from '../../data/settings/secrets'
import { checkNameUpdate } from './internet-settings'
import { move } from './listen-elsewhere'
import type { OwnAddress } from '../../network/own-address'
import { differences, present, stored } from './presenter'

/** Settings, for the host account at the window. */
export function settingsRoutes(router: Router, context: Rooms<'accounts' | 'data' | 'host' | 'network'>): void {
  const { dataDir, secrets, disk } = context.data
  const show = async () => ({
    settings: { ...present(context), ...nameState(context) },
    overridden: [...context.host.overridden],
    authority: authorityOf(context),
    machine_addresses: context.network.addresses.own().filter(isForOthers),
    restored: await restoredIn(context),
  })

  serve(router, api.settings.show, show)

  serve(router, api.settings.change, async ({ input, ctx }) => {
    const before = present(context)
    const { port, sharing, shared_addresses, name_update_password: password, ...rest } = input
    const wanted = stored(rest, context.data.settings.get())
    checkNameUpdate(wanted.internet, password === undefined ? secrets.namePassword !== undefined : password !== null)
    const asksHttps = Object.keys(rest).some((name) => name.startsWith('https'))
    if (asksHttps) await context.network.https.check(wanted.https)
    await move(context, { port, sharing, shared_addresses })
    await context.data.settings.update(stored(rest, context.data.settings.get()))
    if (password !== undefined) await changeSecrets(dataDir, secrets, { namePassword: password ?? undefined }, disk)
    if (asksHttps) await context.network.https.refresh()
    await followAddresses(context, before.internet_name)
    const detail = differences(before, present(context), password !== undefined)
    if (detail !== '') context.accounts.audit.record(ctx, { kind: 'settings_change', detail })
    return show()
  })

  serve(router, api.settings.settleRestored, async ({ input, ctx }) => {
    const restored = await restoredIn(context)
    await settleHeld(context.data.dataDir, context.data.settings, input.accept)
    await context.network.addresses.look()
    if (restored !== null) {
      const detail = `settings of the backup ${input.accept ? 'accepted' : 'discarded'}: ${wordsOf(restored)}`
      context.accounts.audit.record(ctx, { kind: 'settings_change', detail })
    }
    return show()
  })
}

/** An open host moves from the name `before` to a new one in the background, because that takes a certificate. */
async function followAddresses(
  { data, host, network: { addresses, internet } }: Rooms<'data' | 'host' | 'network'>,
  before: string,
): Promise<void> {
  await addresses.look()
  if (data.settings.get().internet.name === before || internet.view().way !== 'router') return
  const following = background(host.log, 'cannot use the new name of this host yet')
  following(() => internet.check(false))
}

const nameState = ({ data: { secrets }, network }: Rooms<'data' | 'network'>) => ({
  name_update_password_set: secrets.namePassword !== undefined,
  name_update_problem: network.nameProblem(),
})

async function restoredIn({ data: { dataDir } }: Rooms<'data'>): Promise<RestoredSettings | null> {
  const held = await readHeld(dataDir)
  if (held === undefined) return null
  return {
    public_url: held.publicUrl,
    trusted_proxies: held.trustedProxies,
    update_feed: held.updateFeed,
    internet: held.internet && internetWords(held.internet),
    mirror: held.mirror && mirrorWords(held.mirror),
  }
}

const wordsOf = ({ public_url, trusted_proxies, update_feed, internet, mirror }: RestoredSettings): string =>
  [public_url, ...trusted_proxies, update_feed, internet, mirror].filter((it) => it !== null).join(', ')

/** Excludes loopback and addresses of a single cable. */
const isForOthers = (it: OwnAddress): it is MachineAddress => !['loopback', 'link_local'].includes(it.kind)

/** Where devices learn to trust this host; by HTTP, because they do not trust it yet. */
function authorityOf({
  network: { https, addresses, internet },
}: Rooms<'network'>): { url: string; fingerprint: string } | null {
  const { authority } = https
  const best = addresses.list().find(({ url, offered }) => offered && url !== internet.origin())
  if (!authority || best === undefined) return null
  return { url: `${best.url.replace(/^https:/, 'http:')}/trust`, fingerprint: authority.fingerprint256 }
}
