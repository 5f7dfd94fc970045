import { randomBytes } from 'node:crypto'
import type { Client } from '../../renderer/lib/client/api-client'
import { aPng } from '../support/packages'
import { aBuild, aPublicProject, VISITOR } from '../support/world/page'
import { plantPictures } from '../support/pictures'
import type { TestServer } from '../support/world/test-server'
import { engines, test } from './support/engine-test'

const bytes = randomBytes(3_000_000)

async function plantLantern(alice: Client, host: TestServer): Promise<void> {
  const project = await aPublicProject(alice, { short_description: 'A reading light' })
  for (const version of ['1.0.0', '1.1.0']) {
    await aBuild(alice, project, `lantern-${version}-x86_64.AppImage`, { version, bytes })
    await alice.releases.update({ id: project.slug, version, notes: `The notes of ${version}` })
  }
  const picture = await aBuild(alice, project, 'lantern.png', {
    bytes: new Uint8Array([...aPng(64), ...aPng(64)]),
  })
  const shots = ['Reading', 'Night', 'Settings'].map((alt) => ({
    kind: 'screenshot' as const,
    alt,
  }))
  const sized = shots.map((shot) => ({ ...shot, width: 720, height: 450 }))
  await plantPictures(host, project.project_id, picture.file_id, sized)
}

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, person: VISITOR })

    test('a visitor finds a project, downloads its build, and sees its pictures', async ({
      somebody,
      alice,
      host,
    }) => {
      await plantLantern(alice, host)
      await somebody.goTo('/')
      await somebody.click('link', 'Browse')
      await somebody.isAt('/browse')
      await somebody.fill(/^Search/, 'lant')
      await somebody.reads('1 project')
      await somebody.click('link', 'Lantern')
      await somebody.sees('heading', 'Lantern')
      await somebody.click('link', /^Download for Linux/)
      await somebody.hasFile('lantern-1.1.0-x86_64.AppImage', bytes)

      await somebody.click('link', 'Night')
      const lightbox = somebody.within('dialog', 'Screenshots')
      await lightbox.reads('2 of 3 · Night')
      await somebody.press('ArrowRight')
      await lightbox.reads('3 of 3 · Settings')
      await somebody.press('ArrowRight', 'Escape')
      await somebody.seesNo('dialog')
      await somebody.sees('link', 'Night', { hasFocus: true })
      await somebody.press('Enter')
      await lightbox.reads('2 of 3 · Night')
      await lightbox.click('button', 'Close')

      await somebody.goTo('/p/lantern/releases')
      await somebody.reads('The notes of 1.0.0')
      await somebody.goTo('/p/lantern/install')
      await somebody.reads('chmod +x')
      await somebody.goTo('/p/nothing')
      await somebody.sees('heading', 'Project Not Found')
    })
  })
}
