import { isUser, type Actor } from '../../server/access/actor'
import type { Api, ErrorCode } from '../../server/contract'
import { AppError, forbidden, notFound } from '../../server/core/errors'
import { apiKeyPolicy } from '../../server/features/api-keys/policy'
import { postPolicy } from '../../server/features/posts/policy'
import { filePolicy } from '../../server/features/files/policy'
import { projectPolicy, roleIn } from '../../server/features/projects/policy'
import { releasePolicy } from '../../server/features/releases/policy'
import { trashPolicy } from '../../server/features/trash/policy'
import { uploadPolicy } from '../../server/features/resumable-uploads/policy'
import type { Things } from './sample'

/** The name of an endpoint of the contract: `files.upload`. */
export type Call = { [F in keyof Api]: `${F}.${Extract<keyof Api[F], string>}` }[keyof Api]

/** Decides after `admit` accepted the actor. Throws the error of the call. */
type Rule = (actor: Actor, things: Things) => void

/** No further rule: the call concerns the caller, or nothing owned. */
const admitted: Rule = () => undefined

const onProject =
  (action: 'read' | 'update' | 'delete' | 'link' | 'collaborate' | 'post' | 'testers'): Rule =>
  (actor, { project }) =>
    void projectPolicy.require(actor, action, project)
const onFile =
  (action: 'read' | 'update' | 'delete'): Rule =>
  (actor, { file, project }) => {
    const isShared = (_fileId: string, userId: string) =>
      userId === project.ownerId || project.collaboratorIds.includes(userId)
    filePolicy({ isShared, isOfferedTo: () => false }).require(actor, action, file)
  }
const onRelease: Rule = (actor, { project, release }) => {
  projectPolicy.require(actor, 'read', project)
  releasePolicy.require(actor, 'update', { release, isMember: roleIn(actor, project) !== null })
}
const onKey =
  (action: 'revoke' | 'delete'): Rule =>
  (actor, { key }) =>
    void apiKeyPolicy.require(actor, action, key)
const inTrash =
  (action: 'restore' | 'delete'): Rule =>
  (actor, { gone }) =>
    void trashPolicy.require(actor, action, gone)
const onUpload: Rule = (actor, { upload }) => void uploadPolicy.require(actor, 'append', upload)
const onPost =
  (action: 'update' | 'delete'): Rule =>
  (actor, { post, project }) =>
    void postPolicy.require(actor, action, { post, projectOwnerId: project.ownerId })

const all =
  (...rules: Rule[]): Rule =>
  (actor, things) => {
    for (const rule of rules) rule(actor, things)
  }
/** Members get what visitors get. */
const shownToVisitors: Rule = (_actor, things) => onProject('read')({ kind: 'visitor' }, things)
const offeredToVisitors: Rule = (_actor, things) => all(onProject('read'), onFile('read'))({ kind: 'visitor' }, things)
const worksOnProject: Rule = (actor, { project }) => {
  if (roleIn(actor, project) === null) throw forbidden('see this')
}
const ownBuild: Rule = (actor, { file }) => {
  if (!isUser(actor, file.ownerId)) throw notFound('Build')
}

/** The same for everyone whom `admit` accepted. */
const refused =
  (code: ErrorCode, words: string): Rule =>
  () => {
    throw new AppError(code, words)
  }

/** Nothing of this kind exists for anyone. */
const missing = (noun: string): Rule => refused('not_found', `${noun} not found`)

const manageSession = missing('Session')
const noPairing = missing('Pairing')
const offeredFile = missing('File')
const chosenFolder = missing('Folder')
const openInvite = missing('Invite link')
const noTester = missing('Tester link')

const usedLink: Rule = (actor) => {
  if (actor.kind !== 'host') throw forbidden('manage this host')
  throw new AppError('manage_link_invalid', 'This link was used')
}

const notAccepted = refused('terms_needed', 'Accept the terms of the certificate authority first')
const notShared = refused('not_shared', 'Share this host on a network first')
const closedToInternet = refused('internet_closed', 'Open this host to the internet first')
const mirrorOff = refused('mirror_off', 'Set up a bucket first')
const unknownToken = refused('invite_link_invalid', 'This invite link was already used')

/** The rule of each call. A call without a rule does not compile. */
export const rules: Record<Call, Rule> = {
  'accounts.register': admitted,
  'accounts.login': admitted,
  'accounts.logout': admitted,
  'accounts.me': admitted,
  'accounts.changePassword': admitted,
  'accounts.check': admitted,
  'apiKeys.list': admitted,
  'apiKeys.create': admitted,
  'apiKeys.revoke': onKey('revoke'),
  'apiKeys.remove': onKey('delete'),
  'files.upload': onProject('link'),
  'files.put': onProject('link'),
  'files.mine': admitted,
  'files.listPublic': admitted,
  'files.info': onFile('read'),
  'files.download': onFile('read'),
  'files.downloadPublic': (_actor, things) => onFile('read')({ kind: 'visitor' }, things),
  'files.downloadExact': (_actor, things) => onFile('read')({ kind: 'visitor' }, things),
  'files.downloadMany': onFile('read'),
  'files.facts': onFile('read'),
  'files.readAgain': onFile('update'),
  'files.icon': onFile('read'),
  'files.setVisibility': onFile('update'),
  'files.remove': onFile('delete'),
  // Each file is checked by itself; the call as a whole succeeds for everyone.
  'files.setVisibilityOfMany': admitted,
  'files.removeMany': admitted,
  'uploads.protocol': admitted,
  'uploads.create': onProject('link'),
  'uploads.list': admitted,
  'uploads.info': onUpload,
  'uploads.append': onUpload,
  'uploads.change': onUpload,
  'uploads.discard': onUpload,
  'localFiles.publish': offeredFile,
  'storage.stats': admitted,
  'builds.list': admitted,
  'builds.stats': admitted,
  'builds.download': ownBuild,
  'projects.listPublic': admitted,
  'projects.mine': admitted,
  'projects.bySlug': onProject('read'),
  'projects.byId': onProject('read'),
  'projects.create': admitted,
  'projects.update': onProject('update'),
  'projects.remove': onProject('delete'),
  'projects.history': all(onProject('read'), worksOnProject),
  'projects.link': all(onProject('link'), onFile('update')),
  'projects.linkMany': onProject('link'),
  'projects.unlink': onProject('link'),
  'projects.download': all(onProject('read'), onFile('read')),
  'projects.latest': offeredToVisitors,
  'projects.downloadAll': all(onProject('read'), onFile('read')),
  'projects.checksums': all(onProject('read'), onFile('read')),
  'releases.list': onProject('read'),
  'releases.latest': all(onProject('read'), onFile('read')),
  'releases.byVersion': all(onProject('read'), onFile('read')),
  'releases.create': onProject('link'),
  'releases.update': onRelease,
  'releases.remove': onRelease,
  'releases.promote': onRelease,
  'releases.withdraw': onRelease,
  'releases.publish': onRelease,
  'releases.download': all(onProject('read'), onFile('read')),
  'releases.latestPage': all(onProject('read'), onFile('read')),
  'releases.latestFile': all(onProject('read'), onFile('read')),
  'releases.latestFileOfArch': all(onProject('read'), onFile('read')),
  'install.manifest': offeredToVisitors,
  'install.icon': offeredToVisitors,
  'install.app': offeredToVisitors,
  // Token and ticket decide, whoever sends them: see tests/api/install/testers.test.ts.
  'install.manifestForTesters': noTester,
  'install.iconForTesters': noTester,
  'install.appForTesters': noTester,
  'testers.list': onProject('testers'),
  'testers.create': onProject('testers'),
  'testers.update': onProject('testers'),
  'testers.revoke': onProject('testers'),
  // The token in the path decides, whoever sends it: see tests/security/access/31-testers.test.ts.
  'testers.unlock': noTester,
  'testers.download': noTester,
  'testers.latestPage': noTester,
  'testers.latestFile': noTester,
  'testers.latestFileOfArch': noTester,
  'testers.atom': noTester,
  'testers.json': noTester,
  'testers.electron': noTester,
  'testers.electronFile': noTester,
  'collaborators.list': all(onProject('read'), worksOnProject),
  'collaborators.add': onProject('collaborate'),
  'collaborators.remove': onProject('collaborate'),
  'feed.list': onProject('read'),
  'feed.add': onProject('post'),
  'feed.update': all(onProject('read'), onPost('update')),
  'feed.remove': all(onProject('read'), onPost('delete')),
  'feeds.atom': shownToVisitors,
  'feeds.json': shownToVisitors,
  'feeds.electron': offeredToVisitors,
  'feeds.electronFile': offeredToVisitors,
  'watches.list': onProject('link'),
  'watches.add': onProject('link'),
  'watches.change': onProject('link'),
  'watches.remove': onProject('link'),
  'trash.list': admitted,
  'trash.restore': inTrash('restore'),
  'trash.restoreMany': admitted,
  'trash.remove': inTrash('delete'),
  'host.about': admitted,
  'host.ping': admitted,
  'host.health': admitted,
  'host.addresses': admitted,
  'host.phoneTest': notShared,
  'internet.show': admitted,
  'internet.check': admitted,
  'internet.open': notAccepted,
  'internet.close': admitted,
  'internet.phoneTest': closedToInternet,
  'mirror.show': admitted,
  'mirror.verify': mirrorOff,
  'mirror.test': admitted,
  'mirror.setUp': admitted,
  'mirror.switchOff': admitted,
  'manage.begin': usedLink,
  'manage.list': admitted,
  'manage.end': manageSession,
  'activity.now': admitted,
  'activity.events': admitted,
  'activity.cut': missing('Transfer'),
  'settings.show': admitted,
  'settings.change': admitted,
  'settings.settleRestored': admitted,
  'dataFolder.show': admitted,
  'dataFolder.plan': chosenFolder,
  'dataFolder.move': chosenFolder,
  'dataFolder.cancel': missing('Move'),
  'dataFolder.removeOld': missing('Old data folder'),
  'backups.show': admitted,
  'backups.change': admitted,
  'backups.run': missing('Folder for your backups'),
  'people.list': admitted,
  'people.update': admitted,
  'people.resetPassword': admitted,
  'people.setRegistration': admitted,
  'pairings.start': admitted,
  'pairings.collect': noPairing,
  'pairings.look': noPairing,
  'pairings.answer': noPairing,
  'invites.list': admitted,
  'invites.create': admitted,
  'invites.revoke': openInvite,
  'invites.look': unknownToken,
  'audit.list': admitted,
}
