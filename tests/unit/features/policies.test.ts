import { describe, expect, test } from 'vitest'
import type { Actor } from '../../../server/access/actor'
import { definePolicy } from '../../../server/access/policy'
import type { FileRecord } from '../../../server/features/files/file-store'
import { filePolicy } from '../../../server/features/files/policy'
import { projectPolicy, roleIn } from '../../../server/features/projects/policy'
import type { ProjectRecord } from '../../../server/features/projects/project-store'

const visitor: Actor = { kind: 'visitor' }
const session = (userId: string): Actor => ({ kind: 'user', userId, credential: 'session' })
const tester = (projectId: string): Actor => ({ kind: 'tester', linkId: 'link', projectId, channel: 'beta' })
const host: Actor = { kind: 'host', userId: 'host', credential: 'session' }
const keyBoundTo = (projectId: string | null): Actor => ({
  ...{ kind: 'user', userId: 'alice', credential: 'api-key' },
  key: { scopes: ['read', 'upload', 'manage'], projectId },
})

describe('a file of alice, on a project with carol', () => {
  const policy = filePolicy({
    isShared: (_fileId, userId) => userId === 'carol',
    isOfferedTo: (_fileId, { projectId }) => projectId === 'rocket',
  })
  const file = (isPublic: boolean) => ({ id: 'file', ownerId: 'alice', isPublic }) as FileRecord

  test.each([
    ['a visitor', visitor, []],
    ['bob', session('bob'), []],
    ['carol', session('carol'), ['read']],
    ['alice', session('alice'), ['read', 'update', 'delete']],
    ['the host', host, []],
    ['a tester of the project', tester('rocket'), ['read']],
    ['a tester of another project', tester('spaceship'), []],
  ])('a private file: %s', (_who, actor, may) => expect(policy.abilities(actor, file(false))).toEqual(may))

  test.each([
    ['a visitor', visitor, ['read']],
    ['bob', session('bob'), ['read']],
    ['carol', session('carol'), ['read']],
    ['alice', session('alice'), ['read', 'update', 'delete']],
    ['the host', host, ['read']],
  ])('a public file: %s', (_who, actor, may) => expect(policy.abilities(actor, file(true))).toEqual(may))
})

describe('a project of alice, with carol', () => {
  const everything = ['read', 'update', 'delete', 'link', 'collaborate', 'post', 'testers']
  const project = (isPublic: boolean) =>
    ({ id: 'rocket', ownerId: 'alice', collaboratorIds: ['carol'], isPublic }) as unknown as ProjectRecord

  test.each([
    ['a visitor', visitor, [], null],
    ['bob', session('bob'), [], null],
    ['carol', session('carol'), ['read', 'testers'], 'collaborator'],
    ['a tester', tester('rocket'), ['read'], null],
    ['a tester of another project', tester('spaceship'), [], null],
    ['alice', session('alice'), everything, 'owner'],
    ['a key of alice', keyBoundTo(null), everything, 'owner'],
    ['a key of alice for this project', keyBoundTo('rocket'), everything, 'owner'],
    ['a key of alice for another project', keyBoundTo('spaceship'), [], null],
    ['the host', host, [], null],
  ])('a private project: %s', (_who, actor, may, role) => {
    expect(projectPolicy.abilities(actor, project(false))).toEqual(may)
    expect(roleIn(actor, project(false))).toBe(role)
  })

  test.each([
    ['a visitor', visitor, ['read']],
    ['bob', session('bob'), ['read']],
    ['carol', session('carol'), ['read', 'testers']],
    ['alice', session('alice'), everything],
    ['a key of alice for another project', keyBoundTo('spaceship'), ['read']],
    ['the host', host, ['read']],
  ])('a public project: %s', (_who, actor, may) => {
    expect(projectPolicy.abilities(actor, project(true))).toEqual(may)
  })
})

describe('require', () => {
  const policy = definePolicy<{ shown: boolean }>()('Thing', {
    read: (_actor, { shown }) => shown,
    change: () => false,
  })

  test('returns the record to callers that may have it', () => {
    const thing = { shown: true }

    expect(policy.require(visitor, 'read', thing)).toBe(thing)
  })

  test('answers the same for a missing record and an invisible one', () => {
    const missing = { code: 'not_found', message: 'Thing not found' }

    expect(() => policy.require(visitor, 'read', undefined)).toThrow(expect.objectContaining(missing))
    expect(() => policy.require(visitor, 'change', { shown: false })).toThrow(expect.objectContaining(missing))
  })

  test('says what may be seen and not done', () => {
    const refused = { code: 'forbidden', message: 'You may not change this thing' }

    expect(() => policy.require(visitor, 'change', { shown: true })).toThrow(expect.objectContaining(refused))
  })

  test('says it in words of its own where the name of the action is none of them', () => {
    const rules = { read: () => true, link: () => false }
    const worded = definePolicy<object>()('Thing', rules, { link: 'change the files of this thing' })
    const refused = { code: 'forbidden', message: 'You may not change the files of this thing' }

    expect(() => worded.require(visitor, 'link', {})).toThrow(expect.objectContaining(refused))
  })
})
