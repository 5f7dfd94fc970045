import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { ApiError } from '../../../renderer/lib/client/api-client'
import { errorStatus, type Api, type ErrorCode } from '../../../server/contract'
import { keyCalls, onPosts, onProjects, onTrash, pairingCalls } from '../../support/refusals/account-refusals'
import { hostCalls } from '../../support/refusals/host-refusals'
import { PASSWORD } from '../../support/password'
import { aWorld, crowded, NONE, nothing, session, tries, window, type World } from '../../support/refusals/refusals'
import type { RouterAccess } from '../../../server/network/internet/needs'
import { noNetwork } from '../../support/network/small-routers'
import { test as base } from '../../support/test-server'
import { onInstall } from '../../support/refusals/install-refusals'
import { onFeeds, onReleases } from '../../support/refusals/release-refusals'
import { onTesters } from '../../support/refusals/tester-refusals'
import { aFileOf, downloads, icons, linkStrictly, uploads } from '../../support/refusals/transfer-refusals'
import { atHome } from '../../support/refusals/local-refusals'
import { turnedDown } from '../../support/refusals/upload-refusals'
import { watchRefusals } from '../../support/refusals/watch-refusals'

/** Does what leads to the refusal, and fails with it. */
type Scenario = (world: World) => Promise<unknown>
/** One scenario for each code that the contract names for a call. A new code needs a new row. */
type Scenarios = {
  [F in keyof Api]: {
    [A in keyof Api[F] as Api[F][A] extends { errors: readonly [] } ? never : A]: Api[F][A] extends {
      errors: readonly (infer Code extends string)[]
    }
      ? Record<Code, Scenario>
      : never
  }
}

const newcomer = { username: 'newcomer', email: 'newcomer@example.com', password: 'secret' }
const passwords = { current_password: PASSWORD, new_password: 'new secret' }
const scenarios: Scenarios = {
  accounts: {
    register: {
      taken: ({ visitor }) => visitor.accounts.register({ ...newcomer, username: 'alice' }),
      registration_closed: async ({ server, visitor }) => {
        await server.context.data.settings.update({ registrationOpen: false })
        return visitor.accounts.register(newcomer)
      },
      invite_link_invalid: ({ visitor }) => visitor.accounts.register({ ...newcomer, invite: 'made-up' }),
      setup_link_invalid: ({ visitor }) => visitor.accounts.register({ ...newcomer, setup: 'A'.repeat(22) }),
      too_many_requests: async ({ visitor }) => {
        await visitor.accounts.register(newcomer)
        return visitor.accounts.register({ ...newcomer, username: 'another', email: 'another@example.com' })
      },
      busy: (world) => crowded(world, () => world.visitor.accounts.register(newcomer)),
    },
    login: {
      bad_credentials: ({ visitor }) => visitor.accounts.login({ username: 'alice', password: 'wrong' }),
      account_disabled: async ({ server, alice, visitor }) => {
        await server.context.accounts.users.change(alice.id, { disabled: true })
        return visitor.accounts.login({ username: 'alice', password: PASSWORD })
      },
      too_many_requests: ({ visitor }) =>
        tries(4, () => visitor.accounts.login({ username: 'alice', password: 'wrong' })),
      busy: (world) => crowded(world, () => world.visitor.accounts.login({ username: 'alice', password: PASSWORD })),
    },
    changePassword: {
      bad_credentials: async (world) =>
        (await session(world)).accounts.changePassword({ ...passwords, current_password: 'wrong' }),
      too_many_requests: async (world) => {
        const client = await session(world)
        return tries(4, () => client.accounts.changePassword({ ...passwords, current_password: 'wrong' }))
      },
      busy: async (world) => {
        const client = await session(world)
        return crowded(world, () => client.accounts.changePassword(passwords))
      },
    },
  },
  apiKeys: keyCalls,
  pairings: pairingCalls,
  files: {
    upload: {
      file_missing: ({ owner }) => owner.files.upload({ file: undefined as unknown as Blob }),
      ...uploads('POST /api/files/upload', (client, bytes, project_id) =>
        client.files.upload({ file: aFileOf(bytes), project_id }),
      ),
    },
    put: uploads('PUT /api/files/upload/x.txt', (client, bytes, project_id) =>
      client.files.put({ filename: 'x.txt', file: aFileOf(bytes), project_id }),
    ),
    info: { not_found: ({ owner }) => owner.files.info(nothing) },
    download: downloads(
      (client, input: { id: string }) => client.files.download(input),
      ({ ofFile }) => ofFile,
    ),
    downloadPublic: downloads(
      (client, input: { username: string; file_id: string }) => client.files.downloadPublic(input),
      ({ here }) => ({ username: 'alice', file_id: here.file_id }),
    ),
    downloadExact: downloads(
      (client, input: { username: string; file_id: string; sha256: string }) => client.files.downloadExact(input),
      ({ here, sha256 }) => ({ username: 'alice', file_id: here.file_id, sha256 }),
    ),
    downloadMany: downloads(
      (client, input: { ids: string }) => client.files.downloadMany(input),
      ({ here }) => ({ ids: here.file_id }),
    ),
    facts: { not_found: ({ owner }) => owner.files.facts(nothing) },
    readAgain: {
      not_found: ({ owner }) => owner.files.readAgain(nothing),
      forbidden: ({ stranger, ofFile }) => stranger.files.readAgain(ofFile),
    },
    icon: icons,
    setVisibility: {
      not_found: ({ owner }) => owner.files.setVisibility({ ...nothing, is_public: true }),
      forbidden: ({ stranger, ofFile }) => stranger.files.setVisibility({ ...ofFile, is_public: false }),
    },
    remove: {
      not_found: ({ owner }) => owner.files.remove(nothing),
      forbidden: ({ stranger, ofFile }) => stranger.files.remove(ofFile),
    },
  },
  uploads: turnedDown,
  localFiles: { publish: atHome },
  storage: {},
  builds: {
    download: downloads(
      (client, input: { id: string }) => client.builds.download(input),
      ({ ofFile }) => ofFile,
    ),
  },
  projects: {
    bySlug: { not_found: ({ owner }) => owner.projects.bySlug({ slug: NONE }) },
    byId: { not_found: ({ owner }) => owner.projects.byId(nothing) },
    ...onProjects,
    remove: {
      not_found: ({ owner }) => owner.projects.remove(nothing),
      forbidden: ({ stranger, here }) => stranger.projects.remove(here),
    },
    history: {
      not_found: ({ owner }) => owner.projects.history(nothing),
      forbidden: ({ stranger, here }) => stranger.projects.history({ id: here.id }),
    },
    link: {
      not_found: ({ owner, here }) => owner.projects.link({ id: here.id, file_id: NONE }),
      forbidden: ({ stranger, here }) => stranger.projects.link(here),
      taken: ({ owner, here }) => owner.projects.link(here),
      build_mismatch: linkStrictly,
    },
    linkMany: {
      not_found: ({ owner, here }) => owner.projects.linkMany({ id: NONE, file_ids: [here.file_id] }),
      forbidden: ({ stranger, here }) => stranger.projects.linkMany({ id: here.id, file_ids: [here.file_id] }),
    },
    unlink: {
      not_found: ({ owner }) => owner.projects.unlink(nothing),
      forbidden: ({ collaborator, here }) => collaborator.projects.unlink(here),
    },
    download: downloads(
      (client, input: { id: string; downloadId: string }) => client.projects.download(input),
      ({ here }) => here,
    ),
    latest: downloads(
      (client, input: { id: string; filename: string }) => client.projects.latest(input),
      ({ here }) => ({ id: here.id, filename: 'a.apk' }),
    ),
    downloadAll: downloads(
      (client, input: { id: string }) => client.projects.downloadAll(input),
      ({ here }) => ({ id: here.id }),
    ),
    checksums: downloads(
      (client, input: { id: string }) => client.projects.checksums(input),
      ({ here }) => ({ id: here.id }),
    ),
  },
  releases: onReleases,
  install: onInstall,
  testers: onTesters,
  collaborators: {
    list: { not_found: ({ owner }) => owner.collaborators.list(nothing) },
    add: {
      not_found: ({ owner, here }) => owner.collaborators.add({ id: here.id, username: NONE }),
      forbidden: ({ stranger, here }) => stranger.collaborators.add({ id: here.id, username: 'bob' }),
      taken: ({ owner, here }) => owner.collaborators.add({ id: here.id, username: 'carol' }),
    },
    remove: {
      not_found: ({ owner, here }) => owner.collaborators.remove({ id: here.id, collaboratorId: NONE }),
      forbidden: ({ stranger, here }) => stranger.collaborators.remove({ id: here.id, collaboratorId: 'carol' }),
    },
  },
  feed: {
    list: { not_found: ({ owner }) => owner.feed.list(nothing) },
    ...onPosts,
    remove: {
      not_found: ({ owner, here }) => owner.feed.remove({ id: here.id, postId: NONE }),
      forbidden: ({ stranger, here }) => stranger.feed.remove({ id: here.id, postId: here.postId }),
    },
  },
  feeds: onFeeds,
  watches: watchRefusals,
  trash: {
    ...onTrash,
    remove: { not_found: ({ owner }) => owner.trash.remove(nothing) },
  },
  audit: {},
  settings: {
    change: {
      taken: async (world) => {
        const other = createServer()
        await once(other.listen(0, '127.0.0.1'), 'listening')
        const { port } = other.address() as AddressInfo
        return (await window(world)).settings.change({ port }).finally(() => other.close())
      },
    },
  },
  ...hostCalls,
}

const rows = Object.entries(scenarios).flatMap(([feature, actions]) =>
  Object.entries(actions).flatMap(([action, codes]) =>
    Object.entries(codes as Record<ErrorCode, Scenario>).map(
      ([code, scenario]) => [`${feature}.${action}`, code as ErrorCode, scenario] as const,
    ),
  ),
)

const limits = { registrationsPerHour: 1, failedSignInsPerAccount: 3 }
/** Asking this network takes a while. */
const routers: RouterAccess = { ...noNetwork, place: () => pause(300, undefined) }
const test = base.extend({ routers, config: { rateLimits: true, patience: { silentMs: 200 } }, settings: { limits } })

test.for(rows)('%s answers %s', async ([, code, scenario], { server }) => {
  const refused = await scenario(await aWorld(server)).catch((cause: unknown) => cause)

  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ code, status: errorStatus[code], message: expect.stringMatching(/\w+ \w+/) })
})
