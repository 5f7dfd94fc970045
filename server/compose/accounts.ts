import type Koa from 'koa'
import { passwordCheck, requiringPassword } from '../features/accounts/password-check'
import { Passwords } from '../features/accounts/passwords'
import { SessionStore } from '../features/accounts/session-store'
import { SetupLink } from '../features/accounts/setup-link'
import { SignInThrottle } from '../features/accounts/sign-in-throttle'
import { UserStore } from '../features/accounts/user-store'
import { ApiKeyStore } from '../features/api-keys/key-store'
import { AuditLog } from '../features/audit/audit-log'
import { InviteStore } from '../features/invites/invite-store'
import { ManageLinks } from '../features/manage/manage-links'
import { Pairings } from '../features/pairings/pairings'
import { joiningTo } from '../features/links/linking'
import { LinkPasswords } from '../features/testers/link-passwords'
import { Sessions } from '../http/pipeline/sessions'
import type { Foundation } from './foundation'
import type { Projects } from './projects'

export type Accounts = Awaited<ReturnType<typeof composeAccounts>>

/** Composes accounts, sign-in and the audit log. */
export async function composeAccounts(foundation: Foundation, projects: Projects, app: Koa) {
  const { config, data, sources, log, allowance } = foundation
  const { settings, secrets, library, held, role, auditSender } = data
  const limits = config.rateLimits === false ? undefined : settings.get()

  const users = new UserStore(library, sources, () => settings.get().default_tier)
  const sessionStore = new SessionStore(
    library,
    () => settings.get().sessions_per_account,
    role.primary?.recordActivity,
  )
  const apiKeys = new ApiKeyStore(library, sources, allowance, role.primary?.recordActivity)

  const passwords = new Passwords(config.passwordCost, limits ? undefined : Infinity)
  const signInThrottle = new SignInThrottle(limits)
  const isPassword = passwordCheck(signInThrottle, passwords)

  return {
    users,
    sessionStore,
    sessions: new Sessions(sessionStore, app, secrets.sessionKeys, () => sources.now()),
    passwords,
    signInThrottle,
    isPassword,
    requirePassword: requiringPassword(isPassword),
    linkPasswords: new LinkPasswords(isPassword),
    setupLink: new SetupLink(),
    manageLinks: new ManageLinks(sources),
    apiKeys,
    pairings: new Pairings(sources),
    invites: new InviteStore(library, sources, joiningTo(projects.store, projects.events)),
    audit: await AuditLog.open(config.dataDir, log, {
      clock: sources,
      ...{ users, apiKeys, held },
      sender: auditSender,
    }),
  }
}
