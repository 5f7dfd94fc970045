import type Koa from 'koa'
import { FactorCheck } from '../features/accounts/factor-check'
import {
  passwordCheck,
  requiringPassword,
  requiringPerson,
} from '../features/accounts/password-check'
import { Passwords } from '../features/accounts/passwords'
import { SessionStore } from '../features/accounts/session-store'
import { SetupLink } from '../features/accounts/setup-link'
import { SignInThrottle } from '../features/accounts/sign-in-throttle'
import { UserStore } from '../features/accounts/user-store'
import { ApiKeyStore } from '../features/api-keys/key-store'
import { AuditLog } from '../features/audit/audit-log'
import { FactorStore } from '../features/factors/factor-store'
import { Passkeys } from '../features/factors/passkeys'
import { Tickets } from '../features/factors/tickets'
import { IdentityStore } from '../features/single-sign-on/identity-store'
import { UsedTokens } from '../features/single-sign-on/used-tokens'
import { InviteStore } from '../features/invites/invite-store'
import { ManageLinks } from '../features/manage/manage-links'
import { Pairings } from '../features/pairings/pairings'
import { joiningTo } from '../features/links/linking'
import { LinkPasswords } from '../features/testers/link-passwords'
import { Sessions } from '../http/pipeline/sessions'
import type { Foundation } from './foundation'
import type { SettingsData } from '../data/settings/settings-schema'
import type { Projects } from './projects'

export type Accounts = Awaited<ReturnType<typeof composeAccounts>>

/** Composes accounts, sign-in and the audit log. */
export async function composeAccounts(foundation: Foundation, projects: Projects, app: Koa) {
  const { config, data, sources, log, allowance } = foundation
  const { settings, secrets, library, held, role, auditSender } = data
  const limits = config.rateLimits === false ? undefined : settings.get()

  const { sessionKeys } = secrets
  const tickets = new Tickets(sessionKeys, sources)
  const users = new UserStore(library, sources, tickets, () => settings.get().default_tier)
  const sessionStore = new SessionStore(
    library,
    () => settings.get().sessions_per_account,
    role.primary?.recordActivity,
  )
  const apiKeys = new ApiKeyStore(library, sources, allowance, role.primary?.recordActivity)

  const passwords = new Passwords(config.passwordCost, limits ? undefined : Infinity)
  const signInThrottle = new SignInThrottle(limits)
  const isPassword = passwordCheck(signInThrottle, passwords)
  const requirePassword = requiringPassword(isPassword)

  const factors = new FactorStore(library, sources)
  const passkeys = new Passkeys(factors, tickets)
  const usedTokens = new UsedTokens(library, sources)
  const identities = new IdentityStore(library, sources, usedTokens)
  const proving = { clock: sources, sessionKeys, throttle: signInThrottle }

  return {
    users,
    sessionStore,
    sessions: new Sessions(
      sessionStore,
      app,
      sessionKeys,
      () => sources.now(),
      () => config.publicUrl ?? settings.get().public_url,
    ),
    passwords,
    signInThrottle,
    isPassword,
    factors,
    tickets,
    passkeys,
    ...{ identities, usedTokens },
    factorCheck: new FactorCheck({
      ...{ ...proving, users, factors, tickets, identities, passkeys },
    }),
    /** Whether the host asks an account for a second factor that it does not have. */
    lacksFactor: (userId: string) =>
      asksForFactor(settings.get().second_factor, userId, users, projects.store) &&
      !factors.has(userId),
    requirePassword,
    requirePerson: requiringPerson(requirePassword),
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

/** Whether the setting asks an account for a second factor. */
function asksForFactor(
  from: SettingsData['second_factor'],
  userId: string,
  users: UserStore,
  projects: Projects['store'],
): boolean {
  if (from === 'nobody' || from === 'everybody') return from === 'everybody'
  if (userId === users.hostId) return true
  return (
    from === 'maintainers' &&
    projects
      .ofMember(userId)
      .some((project) => project.ownerId === userId || project.maintainerIds?.includes(userId))
  )
}
