import { afterAll, beforeAll, expect } from 'vitest'
import { PASSWORD } from '../../support/world/password'
import { closeScripts, javaScript, openScripts, python, shell } from '../../support/system/scripts'
import { test } from '../../support/world/http'

const credentials = JSON.stringify({ username: 'alice', password: PASSWORD })

/** Programs that keep the session cookie and say nothing of where they come from. */
const scripts = {
  curl: (base: string) => `
    api() { curl -sS --fail-with-body -b jar -c jar "$@"; }
    api ${base}/api/auth/login -H 'Content-Type: application/json' -d '${credentials}'
    api ${base}/api/projects -H 'Content-Type: application/json' -d '{"title":"Rocket"}'
    api ${base}/api/files/upload -F project_id=rocket -F 'file=the bytes;filename=rocket.apk'
    api -X PUT ${base}/api/projects/rocket -H 'Content-Type: application/json' -d '{"is_public":true}'
    api -X POST ${base}/api/auth/logout
    api ${base}/api/auth/check`,

  requests: (base: string) => `
import requests
session = requests.Session()
def api(method, path, **sent):
    response = session.request(method, "${base}/api" + path, **sent)
    response.raise_for_status()
    return response.text
api("POST", "/auth/login", json=${credentials})
api("POST", "/projects", json={"title": "Rocket"})
api("POST", "/files/upload", data={"project_id": "rocket"}, files={"file": ("rocket.apk", b"the bytes")})
api("PUT", "/projects/rocket", json={"is_public": True})
api("POST", "/auth/logout")
print(api("GET", "/auth/check"))`,

  fetch: (base: string) => `
    let cookie = ''
    const api = async (method, path, body) => {
      const json = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
      const response = await fetch('${base}/api' + path, { method, body, headers: { cookie, ...json } })
      if (!response.ok) throw new Error(await response.text())
      cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ') || cookie
      return response.text()
    }
    const form = new FormData()
    form.set('project_id', 'rocket')
    form.set('file', new Blob(['the bytes']), 'rocket.apk')
    await api('POST', '/auth/login', JSON.stringify(${credentials}))
    await api('POST', '/projects', JSON.stringify({ title: 'Rocket' }))
    await api('POST', '/files/upload', form)
    await api('PUT', '/projects/rocket', JSON.stringify({ is_public: true }))
    await api('POST', '/auth/logout')
    console.log(await api('GET', '/auth/check'))`,
}
const runners = { curl: shell, requests: python, fetch: javaScript }

beforeAll(openScripts, 120_000)
afterAll(closeScripts)

test.for(['curl', 'requests', 'fetch'] as const)(
  '%s signs in, makes changes with its cookie, and signs out',
  async (name, { server, folder, alice }) => {
    const output = await runners[name](scripts[name](server.url), { cwd: folder, env: process.env })

    const { project } = await server.as(alice).projects.byId({ id: 'rocket' })
    expect(project).toMatchObject({ is_public: true, downloads: [{ filename: 'rocket.apk' }] })
    expect(output).toContain('"authenticated":false')
  },
)
