import { expect } from 'vitest'
import type { ProjectEvent } from '../../../server/features/projects/project-events'
import { aFile, aLink, aPost } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

function heard(server: TestServer) {
  const events: Omit<ProjectEvent, 'project'>[] = []
  server.inside.projectEvents.subscribe(({ project, ...event }) => {
    expect(server.inside.projects.find(project.id)).toBe(project)
    events.push(event)
  })
  return events
}

test('emits an event for each saved action', async ({ server, alice, bob, project }) => {
  const file = await aFile(server, alice)
  const events = heard(server)
  const { project_id: id } = project

  await server.as(alice).collaborators.add({ id, username: 'bob' })
  await aLink(server, alice, project, file)
  const { file_id } = await aFile(server, alice, { filename: 'boat.apk', project_id: id })
  await aPost(server, alice, project)
  await server.as(alice).projects.update({ id, title: 'Rocket II' })
  await server.as(alice).collaborators.remove({ id, collaboratorId: 'bob' })
  const byAlice = { userId: alice.id, subjectId: null }
  expect(events).toEqual([
    { ...byAlice, kind: 'person', subjectId: bob.id },
    { ...byAlice, kind: 'file', subjectId: file.file_id },
    { ...byAlice, kind: 'file', subjectId: file_id },
    { ...byAlice, kind: 'update' },
    { ...byAlice, kind: 'page' },
    { ...byAlice, kind: 'removal', subjectId: bob.id },
  ])
})

test('emits no event for a refused or idle action', async ({ server, alice, bob, project }) => {
  const file = await aFile(server, alice, { project_id: project.project_id })
  const events = heard(server)

  await server.as(alice).projects.update({ id: project.project_id, title: project.title })
  await expect(aLink(server, alice, project, file)).rejects.toThrow('already has this file')
  await expect(aPost(server, bob, project)).rejects.toThrow()
  expect(events).toEqual([])
})
