import { aBuild, aPublicProject, VISITOR } from '../support/world/page'
import { engines, expect, test } from './support/engine-test'

/**
 * How much wider than the screen the page is, and how bright its background and its text are, from
 * 0 to 1.
 */
const LOOKS = `(() => {
  const brightness = (color) => Math.max(...color.match(/[\\d.]+/g).slice(0, 3)) / 255
  const { backgroundColor, color } = getComputedStyle(document.body)
  const { scrollWidth, clientWidth } = document.documentElement
  return { beyond: scrollWidth - clientWidth, width: innerWidth, ground: brightness(backgroundColor), text: brightness(color) }
})()`

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, isDark: true, person: VISITOR })

    test('on a narrow screen in the dark no page is too wide', async ({ somebody, alice }) => {
      const project = await aPublicProject(alice, {
        title: 'Lantern',
        description: 'A reading light',
      })
      await aBuild(alice, project, 'lantern-1.0.0-x86_64.AppImage', { version: '1.0.0' })
      await somebody.tab.resize(360, 740)
      const visit = async (path: string, heading: string | RegExp) => {
        await somebody.goTo(path)
        await somebody.sees('heading', heading)
        const looks = await somebody.tab.run<Record<string, number>>(LOOKS)
        expect.soft(looks['width'], path).toBe(360)
        expect.soft(looks['beyond'], path).toBeLessThanOrEqual(0)
        expect.soft(looks['ground'], path).toBeLessThan(0.25)
        expect.soft(looks['text'], path).toBeGreaterThan(0.75)
      }
      await visit('/browse', 'Browse projects')
      await visit('/p/lantern', 'Lantern')
      await visit('/p/lantern/releases', /^Releases of/)
      await somebody.logIn('alice')
      await visit('/dashboard', 'Welcome, alice')
      await visit('/my-files', 'My Files')
      await visit('/projects', 'Projects')
      await visit(`/projects/lantern/settings`, 'Lantern')
      await somebody.click('button', 'Menu')
      await somebody.within('dialog').click('link', 'API Keys')
      await somebody.sees('heading', 'API Keys')
    })
  })
}
