import { describe, expect } from 'vitest'
import { calls, endpointOf, type Call } from '../../support/calls'
import { test } from '../../support/world/http'
import { ask, statusOf, type Fetch } from '../../support/access/ask'
import {
  actorNames,
  everybody,
  somePeople,
  thingsOf,
  type ActorName,
} from '../../support/access/alices-world'
import { inputs, type About } from '../../support/access/inputs'
import { listedCalls, listedRow, listedStatus, rowOf } from '../support/permissions-page'

/** The cost of a hash has no effect on permissions. */

const isRead = (call: Call) => endpointOf(call).method === 'GET'
/** These end or change the session that makes them; each caller then signs in again. */
const startsAnew = (call: Call) => call.startsWith('accounts.')

const groups = Object.entries(Object.groupBy(listedCalls, (call) => call.split('.')[0] ?? ''))

describe('what everyone may do', () => {
  const ofOthers = groups.map(([group, ofGroup = []]) => [group, 'private', ofGroup] as const)
  const forAll = groups
    .map(
      ([group, ofGroup = []]) =>
        [group, 'public', ofGroup.filter((call) => !startsAnew(call))] as const,
    )
    .filter(([, , ofGroup]) => ofGroup.length > 0)
  test.for([...ofOthers, ...forAll])(
    'every call × every actor: %s, where things are %s',
    async ([, visibility, ofGroup], { server }) => {
      const isPublic = visibility === 'public'
      const people = await somePeople(server)
      const come = await everybody(server, people)
      const known = new Map<ActorName, Fetch>()
      let things = await thingsOf(server, people, isPublic)
      for (const call of ofGroup) {
        const statuses = {} as Record<ActorName, number>
        for (const [index, actor] of actorNames.entries()) {
          const input = inputs[call]({ things, people, by: `${call.replace('.', '-')}-${index}` })
          const fetch = (startsAnew(call) ? undefined : known.get(actor)) ?? (await come(actor))
          if (!startsAnew(call)) known.set(actor, fetch)
          statuses[actor] = await statusOf(fetch, call, input)
          // Callers that may change things start from the original state.
          const isOfThings = 'id' in input || 'requestId' in input
          const isChanged = !isRead(call) && statuses[actor] < 300 && isOfThings
          if (isChanged) things = await thingsOf(server, people, isPublic)
        }
        expect.soft(rowOf(call, statuses)).toBe(listedRow(call, isPublic))
      }
    },
  )

  test('HEAD is answered as GET is, a range of a download with 206', async ({ server }) => {
    const people = await somePeople(server)
    const come = await everybody(server, people)
    const things = await thingsOf(server, people, false)
    for (const actor of actorNames) {
      const fetch = await come(actor)
      for (const call of calls.filter(isRead)) {
        const input = inputs[call]({ things, people, by: 'somebody' })
        const expected = listedStatus(call, actor)
        const part = endpointOf(call).download === true && expected === 200 ? 206 : expected
        const statuses = [
          await statusOf(fetch, call, input, { method: 'HEAD' }),
          await statusOf(fetch, call, input, { range: 'bytes=0-0' }),
        ]
        expect.soft([actor, call, ...statuses]).toEqual([actor, call, expected, part])
      }
    }
  })

  test('private things of others answer as missing ones, byte for byte', async ({ server }) => {
    const people = await somePeople(server)
    const come = await everybody(server, people)
    const things = await thingsOf(server, people, false)
    // A maintainer sees the project, so that only what it lacks is hidden.
    const isHidden = (value: unknown, actor: string) =>
      Object.values(idsOf(things)).includes(value as string) &&
      !(actor === 'maintainer' && value === things.project.project_id)
    const missing = (input: Record<string, unknown>, actor: string) =>
      Object.fromEntries(
        Object.entries(input).map(([name, value]) => [
          name,
          isHidden(value, actor) ? 'z'.repeat(16) : value,
        ]),
      )
    let compared = 0
    for (const actor of actorNames) {
      const fetch = await come(actor)
      for (const call of calls.filter((name) => listedStatus(name, actor) === 404)) {
        const input = inputs[call]({ things, people, by: 'somebody' })
        const [theirs, none] = [
          await seen(fetch, call, input),
          await seen(fetch, call, missing(input, actor)),
        ]
        expect.soft([actor, call, theirs]).toEqual([actor, call, none])
        compared++
      }
    }
    expect(compared).toBeGreaterThan(100)
  })
})

const idsOf = ({
  project,
  file,
  other,
  gone,
  post,
  key,
  upload,
  tester,
  webhook,
}: About['things']) => ({
  ...webhook,
  tester: tester.tester_id,
  ...{ project: project.project_id, slug: project.slug, file: file.file_id, other: other.file_id },
  ...{ gone: gone.file_id, post: post.post_id, key: key.id, upload: upload.upload_id },
})

/** All that an answer shows but for its time. */
async function seen(fetch: Fetch, call: Call, input: object) {
  const response = await ask(fetch, call, input)
  const headers = [...response.headers].filter(([name]) => name !== 'date')
  return { status: response.status, headers, body: await response.text() }
}

test('docs/permissions.md lists each call of the contract once', () => {
  expect(listedCalls.toSorted()).toEqual(calls.toSorted())
})
