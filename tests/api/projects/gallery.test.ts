import { expect } from 'vitest'
import { anApp, aProject } from '../../support/world/factories'
import { plantPictures } from '../../support/pictures'
import { test } from '../../support/world/http'

test('the page has the cover, and screenshots with sizes and words', async ({ server, alice }) => {
  const { project_id: id } = await aProject(server, alice, { is_public: true })
  const app = await anApp(server, alice, { project_id: id, is_public: true })
  const text = async (path: string) => (await server.fetch(path)).text()
  const plain = await text('/p/rocket')
  expect(plain).not.toMatch(/gallery|class="cover"/)

  await plantPictures(server, id, app.file_id, [
    { kind: 'icon', alt: '', width: 256, height: 256 },
    { kind: 'cover', alt: 'A rocket at night', width: 1200, height: 630 },
    { kind: 'screenshot', alt: 'The cockpit', width: 1440, height: 900 },
    { kind: 'screenshot', alt: '', width: 720, height: 1440 },
  ])
  const nameOf = (number: number, width: number) =>
    `pictures/${String(number).padStart(32, '0')}-${width}.webp`
  const page = await text('/p/rocket')
  expect(page).toContain(`<img class="cover" src="/p/rocket/${nameOf(2, 1200)}"`)
  expect(page).toMatch(/width="1200" height="630" alt="A rocket at night"/)
  const shot = /<a href="([^"]+)" data-shot[^>]*>(<img[^>]+>)/.exec(page)
  expect(shot?.[1]).toBe(`/p/rocket/${nameOf(3, 1440)}`)
  for (const part of [
    `srcSet="/p/rocket/${nameOf(3, 720)} 720w, /p/rocket/${nameOf(3, 1440)} 1440w"`,
    'width="1440" height="900" alt="The cockpit" loading="lazy"',
  ])
    expect(shot?.[2]).toContain(part)
  expect(page).toContain('alt="Screenshot 2"')

  const icon = `/p/rocket/${nameOf(1, 128)}`
  expect(page).toContain(`<img class="picture-of-app" src="${icon}"`)
  expect(await text('/p/rocket/card')).toContain(`<img src="${icon}"`)
  const { project } = await server.as(alice).projects.byId({ id })
  expect(project.icon_url).toBe(icon)

  const { url } = await server.as(alice).testers.create({ id, name: 'Beta group' })
  const { pathname } = new URL(url)
  const forTesters = await text(pathname)
  expect(forTesters).toContain(`${pathname}/${nameOf(3, 1440)}`)
  expect(forTesters).not.toContain('/p/rocket')
})
