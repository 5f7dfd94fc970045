import type { Call } from '../calls'
import { aPicture } from '../pictures'
import { PASSWORD } from '../world/password'
import { EMPTY_RELEASE, type People, type Things } from './alices-world'

/** The target of a call. `by` separates the callers where each creates its own. */
export interface About {
  things: Things
  people: People
  by: string
}

const nothing = () => ({})
const ofUpload = ({ things }: About) => ({ id: things.upload.upload_id })
const tus = { 'tus-resumable': '1.0.0' }
const bytes = 'application/offset+octet-stream'
const ofProject = ({ things }: About) => ({ id: things.project.project_id })
const ofFile = ({ things }: About) => ({ id: things.file.file_id })
const ofLink = (about: About) => ({ ...ofProject(about), downloadId: about.things.file.file_id })
const ofRelease = (about: About) => ({ ...ofProject(about), version: '1.0' })
const ofTicket = (about: About) => ({
  ...ofProject(about),
  file_id: about.things.file.file_id,
  ticket: about.things.ticket,
})
const ofTester = (about: About) => ({ ...ofProject(about), testerId: about.things.tester.tester_id })
const token = 'no-such-token'
const ofTesterTicket = ({ things }: About) => ({ token, file_id: things.file.file_id, ticket: things.ticket })
/** Other bytes than those of the screenshot. */
const ICON = new Uint8Array(aPicture({ width: 16 }))
const ofWebhook = (about: About) => ({ ...ofProject(about), webhookId: about.things.webhook.webhookId })
const ofDelivery = (about: About) => ({ ...ofProject(about), ...about.things.webhook })
const ofPicture = (about: About) => ({ ...ofProject(about), pictureId: about.things.picture.picture_id })
const pictureFile = ({ things }: About) => ({ picture: `${things.picture.picture_id}-${things.picture.width}.webp` })
const ofPost = (about: About) => ({ ...ofProject(about), postId: about.things.post.post_id })
const ofKey = ({ things }: About) => ({ id: things.key.id })
/** What becomes of the files of others is tests/api/files/many-files.test.ts. */
const noIds = ['nosuchfile']
const gone = ({ things }: About) => ({ id: things.gone.file_id })
const aNewAccount = ({ by }: About) => ({ username: by, email: `${by}@example.com`, password: 'secret' })

/** Nothing answers at its address. */
const aBucket = {
  ...{ endpoint: 'http://127.0.0.1:9', bucket: 'builds' },
  ...{ access_key_id: 'GK31', secret_access_key: 'b4c0ffee' },
}

/** The placeholder for a folder that was not chosen. */
const aFolder = () => ({ folder: 'f'.repeat(43) })

/** The input of every call of the contract. A missing call does not compile. */
export const inputs: Record<Call, (about: About) => Record<string, unknown>> = {
  'accounts.register': aNewAccount,
  'accounts.login': ({ people }) => ({ username: people.alice.username, password: PASSWORD }),
  'accounts.logout': nothing,
  'accounts.me': nothing,
  'accounts.changePassword': () => ({ current_password: PASSWORD, new_password: PASSWORD }),
  'accounts.check': nothing,
  'apiKeys.list': nothing,
  'apiKeys.create': () => ({ name: 'CI' }),
  'apiKeys.revoke': ofKey,
  'apiKeys.remove': ofKey,
  'files.upload': ({ things }) => ({ project_id: things.project.slug }),
  'files.put': ({ things }) => ({ filename: 'rocket.apk', project_id: things.project.slug }),
  'files.mine': nothing,
  'files.listPublic': nothing,
  'files.info': ofFile,
  'files.download': ofFile,
  'files.downloadPublic': ({ people, things }) => ({ username: people.alice.username, file_id: things.file.file_id }),
  'files.downloadExact': ({ people, things }) => ({
    username: people.alice.username,
    file_id: things.file.file_id,
    sha256: things.file.sha256,
  }),
  'files.downloadMany': ({ things }) => ({ ids: things.file.file_id }),
  'files.facts': ofFile,
  'files.readAgain': ofFile,
  'files.icon': ofFile,
  'files.setVisibility': (about) => ({ ...ofFile(about), is_public: true }),
  'files.remove': ofFile,
  'files.setVisibilityOfMany': () => ({ file_ids: noIds, is_public: false }),
  'files.removeMany': () => ({ file_ids: noIds }),
  'uploads.protocol': nothing,
  'uploads.create': ({ things }) => ({
    ...{ ...tus, 'upload-length': '5' },
    'upload-metadata': `filename eA==,project_id ${btoa(things.project.slug)}`,
  }),
  'uploads.list': nothing,
  'uploads.info': ofUpload,
  'uploads.append': (about) => ({ ...ofUpload(about), ...tus, 'content-type': bytes, 'upload-offset': '0' }),
  'uploads.change': (about) => ({ ...ofUpload(about), is_public: false }),
  'uploads.discard': ofUpload,
  'localFiles.publish': () => ({ offer_id: 'z'.repeat(32) }),
  'storage.stats': nothing,
  'builds.list': nothing,
  'builds.stats': nothing,
  'builds.download': ofFile,
  'projects.listPublic': nothing,
  'projects.mine': nothing,
  'projects.bySlug': ({ things }) => ({ slug: things.project.slug }),
  'projects.byId': ofProject,
  'projects.create': () => ({ title: 'Rocket' }),
  'projects.update': (about) => ({ ...ofProject(about), title: 'Spaceship' }),
  'projects.remove': ofProject,
  'projects.history': ofProject,
  'projects.news': nothing,
  'projects.link': (about) => ({ ...ofProject(about), file_id: about.things.other.file_id }),
  'projects.linkMany': (about) => ({ ...ofProject(about), file_ids: noIds }),
  'projects.unlink': ofLink,
  'projects.download': ofLink,
  'projects.latest': (about) => ({ ...ofProject(about), filename: about.things.file.filename }),
  'projects.downloadAll': ofProject,
  'projects.checksums': ofProject,
  'pictures.add': (about) => ({ ...ofProject(about), kind: 'icon', file: new Blob([ICON]) }),
  'pictures.order': (about) => ({ ...ofProject(about), screenshots: [about.things.picture.picture_id] }),
  'pictures.update': (about) => ({ ...ofPicture(about), alt: 'The start' }),
  'pictures.remove': ofPicture,
  'pictures.file': (about) => ({ ...ofProject(about), ...pictureFile(about) }),
  'testers.list': ofProject,
  'testers.create': (about) => ({ ...ofProject(about), name: 'Beta group' }),
  'testers.update': (about) => ({ ...ofTester(about), name: 'Beta' }),
  'testers.revoke': ofTester,
  // Real tokens: tests/security/access/31-testers.test.ts.
  'testers.unlock': () => ({ token, password: PASSWORD }),
  'testers.icon': (about) => ({ token, file_id: about.things.file.file_id }),
  'testers.download': () => ({ token, version: '1.0', filename: 'rocket.apk' }),
  'testers.latestPage': () => ({ token }),
  'testers.latestFile': () => ({ token, platform: 'android' }),
  'testers.atom': () => ({ token }),
  'testers.json': () => ({ token }),
  'testers.repository': () => ({ token, format: 'apt', path: 'pool/1.0/rocket.apk' }),
  'testers.searchWinget': () => ({ token, channel: 'stable' }),
  'testers.electron': () => ({ token, feed: 'latest-linux.yml' }),
  'testers.picture': (about) => ({ token, ...pictureFile(about) }),
  'testers.electronFile': () => ({ token, version: '1.0', filename: 'rocket.apk' }),
  'testers.latestFileOfArch': () => ({ token, platform: 'android', arch: 'arm64' }),
  'releases.list': ofProject,
  'releases.latest': ofProject,
  'releases.byVersion': ofRelease,
  'releases.create': (about) => ({ ...ofProject(about), version: '2.0' }),
  'releases.update': (about) => ({ ...ofRelease(about), notes: 'Faster' }),
  'releases.remove': (about) => ({ ...ofProject(about), version: EMPTY_RELEASE }),
  'releases.promote': ofRelease,
  'releases.withdraw': ofRelease,
  'releases.publish': ofRelease,
  'releases.download': (about) => ({ ...ofRelease(about), filename: about.things.file.filename }),
  'releases.latestPage': ofProject,
  'releases.latestFile': (about) => ({ ...ofProject(about), platform: 'android' }),
  'releases.latestFileOfArch': (about) => ({ ...ofProject(about), platform: 'android', arch: 'arm64' }),
  'install.manifest': ofTicket,
  'install.icon': ofTicket,
  'install.app': ofTicket,
  'install.manifestForTesters': ofTesterTicket,
  'install.iconForTesters': ofTesterTicket,
  'install.appForTesters': ofTesterTicket,
  'collaborators.list': ofProject,
  'collaborators.add': (about) => ({ ...ofProject(about), username: about.people.bob.username }),
  'collaborators.change': (about) => ({
    ...ofProject(about),
    collaboratorId: about.people.carol.username,
    role: 'maintainer',
  }),
  'collaborators.remove': (about) => ({ ...ofProject(about), collaboratorId: about.people.carol.username }),
  'feed.list': ofProject,
  'feed.add': (about) => ({ ...ofProject(about), content: 'News' }),
  'feed.update': (about) => ({ ...ofPost(about), content: 'News' }),
  'feed.remove': ofPost,
  'feeds.atom': ofProject,
  'feeds.json': ofProject,
  'feeds.repository': (about) => ({
    ...ofProject(about),
    format: 'apt',
    path: `pool/${ofRelease(about).version}/${about.things.file.filename}`,
  }),
  'feeds.searchWinget': (about) => ({ ...ofProject(about), channel: 'stable' }),
  'feeds.electron': (about) => ({ ...ofProject(about), feed: 'latest-linux.yml' }),
  'registry.ping': nothing,
  'registry.read': ({ things }) => ({ path: `${things.project.slug}/blobs/sha256:${things.file.sha256}` }),
  'embeds.badge': ofProject,
  'embeds.card': ofProject,
  'embeds.preview': ofProject,
  'feeds.electronFile': (about) => ({ ...ofRelease(about), filename: about.things.file.filename }),
  'trash.list': nothing,
  'trash.restore': gone,
  'trash.restoreMany': () => ({ trash_ids: noIds }),
  'trash.remove': gone,
  'host.about': nothing,
  'host.health': nothing,
  'host.ping': () => ({ nonce: 'a-nonce-of-16-up' }),
  'host.addresses': nothing,
  'host.phoneTest': nothing,
  'internet.show': nothing,
  'internet.check': nothing,
  'internet.open': () => ({ way: 'router' }),
  'internet.close': nothing,
  'internet.phoneTest': nothing,
  'mirror.show': nothing,
  'mirror.verify': nothing,
  'mirror.test': () => aBucket,
  'mirror.setUp': () => aBucket,
  'mirror.switchOff': () => ({ copies: 'keep' }),
  'manage.begin': () => ({ link: 'A'.repeat(22) }),
  'manage.list': nothing,
  'manage.end': () => ({ id: 'no-such-session-' }),
  'activity.now': nothing,
  'activity.events': nothing,
  'activity.cut': () => ({ id: 'no-such-transfer' }),
  'retention.list': ofProject,
  'retention.preview': (about) => ({ ...ofProject(about), channel: 'nightly', keep: 1 }),
  'retention.update': (about) => ({ ...ofProject(about), channel: 'nightly', keep: 1 }),
  'webhooks.list': ofProject,
  'webhooks.create': (about) => ({ ...ofProject(about), name: 'CI', url: 'https://ci.example/slipway' }),
  'webhooks.update': ofWebhook,
  'webhooks.remove': ofWebhook,
  'webhooks.renewSecret': ofWebhook,
  'webhooks.test': ofWebhook,
  'webhooks.deliveries': ofWebhook,
  'webhooks.sendAgain': ofDelivery,
  'watches.list': ofProject,
  'watches.add': (about) => ({ ...ofProject(about), folder: 'x'.repeat(43) }),
  'watches.change': (about) => ({ ...ofProject(about), watchId: about.things.post.post_id }),
  'watches.remove': (about) => ({ ...ofProject(about), watchId: about.things.post.post_id }),
  'settings.show': nothing,
  'settings.change': () => ({ host_name: 'Quay' }),
  'settings.settleRestored': () => ({ accept: false }),
  'settings.keepNewKeys': nothing,
  'dataFolder.show': nothing,
  'dataFolder.plan': aFolder,
  'dataFolder.move': aFolder,
  'dataFolder.cancel': nothing,
  'dataFolder.removeOld': nothing,
  'backups.show': nothing,
  'backups.change': nothing,
  'backups.run': nothing,
  'people.list': nothing,
  'people.update': ({ people }) => ({ id: people.bob.id, tier_name: 'Pro' }),
  'people.resetPassword': ({ people }) => ({ id: people.dora.id }),
  'people.setRegistration': () => ({ open: true }),
  'search.find': () => ({ text: 'rocket' }),
  'pairings.start': () => ({ name: 'build-server-2' }),
  'pairings.collect': () => ({ id: 'nosuchpairing', secret: 'wrong' }),
  'pairings.look': () => ({ code: 'BCDF-GHJK' }),
  'pairings.answer': () => ({ code: 'BCDF-GHJK', approve: false }),
  'invites.list': nothing,
  'invites.create': () => ({ tier_name: 'Pro' }),
  'invites.revoke': () => ({ id: 'nosuchinvite' }),
  'invites.look': () => ({ invite: 'nosuchinvite' }),
  'audit.list': nothing,
}
