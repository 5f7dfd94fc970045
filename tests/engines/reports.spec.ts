import { writeFile } from 'node:fs/promises'
import { aPicture } from '../support/pictures'
import { aBuild, aPublicProject, VISITOR } from '../support/world/page'
import { engines, expect, test } from './support/engine-test'

/** Chromium lists those that a policy forbids, too. */
const LOADED_SCRIPTS = `performance.getEntriesByType('resource')
  .some(({ name, decodedBodySize }) => name.endsWith('.js') && decodedBodySize > 0)`

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, person: VISITOR })

    test('a tester reports with a picture and a log, without scripts, and reads the answer', async ({
      somebody,
      alice,
      line,
    }, info) => {
      const project = await aPublicProject(alice)
      const id = project.project_id
      await aBuild(alice, project, 'lantern-1.4.1.apk', { version: '1.4.1' })
      const { url } = await alice.testers.create({ id, name: 'Berlin' })
      const files = ['level-3.png', 'crash.log'].map((name) => info.outputPath(name))
      await writeFile(files[0] ?? '', aPicture({ width: 40 }))
      await writeFile(files[1] ?? '', 'trace')

      await somebody.goTo(new URL(url).pathname)
      await somebody.click('link', 'Report a problem')
      await somebody.sees('button', 'Send')
      await expect.poll(() => somebody.tab.run(LOADED_SCRIPTS)).toBe(true)
      line.forbidScripts()
      await somebody.goTo(`${new URL(url).pathname}/report`)
      await somebody.fill('What happened?', 'It crashes at level 3.')
      await somebody.tab.choose('[type=file]', files)
      await somebody.click('button', 'Send')
      await somebody.isAt(/^\/r\//)
      await somebody.reads('Your report has arrived.')
      await somebody.reads('level-3.webp')

      const [report] = (await alice.reports.list({ id })).reports
      expect(report).toMatchObject({ version: '1.4.1', tester: 'Berlin', attachments: 2 })
      const reportId = report?.report_id ?? ''
      await alice.reports.reply({ id, reportId, text: 'Thank you!' })
      await alice.reports.update({ id, reportId, state: 'fixed', fixed_in: '1.4.1' })

      await somebody.goTo(String(await somebody.tab.run('location.pathname')))
      await somebody.reads('Thank you!')
      await somebody.sees('link', '1.4.1')
      await somebody.fill('Your answer', 'It works now.')
      await somebody.click('button', 'Send answer')
      await somebody.reads('It works now.')
      expect(await somebody.tab.run(LOADED_SCRIPTS)).toBe(false)
      // Engines say what the policy forbids.
      somebody.tab.complaints.length = 0
    })
  })
}
