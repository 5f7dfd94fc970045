import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aBeta } from '../../support/reports'
import { run, unpacked } from '../../support/system/debian'
import { test } from '../../support/world/http'

/*
 * Runs the functions of docs/guide/apps.md as printed, each in its own language; curl and its files
 * run with the other commands of the guide. Swift is not run: Debian has no Swift for this release.
 */
const text = await readFile(join(import.meta.dirname, '../../../docs/guide/apps.md'), 'utf8')
const printed = (language: string) =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? ''

type Example = (code: string, folder: string) => Promise<unknown>

const WORDS = ["'It crashed'", "'NPE in Level.load'", "'trace'"] as const
const QUOTED = WORDS.map((words) => words.replaceAll("'", '"')).join(', ')

const examples: Record<string, Example> = {
  async js(code, folder) {
    const call = `await report(${WORDS[0]}, { signature: ${WORDS[1]}, log: ${WORDS[2]} })`
    await writeFile(join(folder, 'report.mjs'), `${code}\nconsole.log(${call})\n`)
    return run(process.execPath, [join(folder, 'report.mjs')])
  },

  async csharp(code, folder) {
    const { 'mono-mcs': mono } = await unpacked('mono-mcs')
    const main = `static class Program {
      static void Main() { Console.WriteLine(Reports.Send(${QUOTED}).Result); }
    }`
    await writeFile(join(folder, 'report.cs'), `${code}\n${main}\n`)

    const libraries = mono.file('usr/lib/mono/4.5')
    const places = { MONO_PATH: libraries, MONO_GAC_PREFIX: mono.file('usr') }
    const env = { ...process.env, ...places, LD_LIBRARY_PATH: mono.file('usr/lib') }
    const config = ['--config', mono.file('etc/mono/config')]
    const start = (...args: string[]) =>
      run(mono.file('usr/bin/mono-sgen'), [...config, ...args], { env, cwd: folder })
    await start(join(libraries, 'mcs.exe'), '-r:System.Net.Http', 'report.cs')
    return start('report.exe')
  },

  async kotlin(code, folder) {
    const { kotlin } = await unpacked('kotlin')
    await writeFile(join(folder, 'Report.kt'), `${code}\nfun main() = println(report(${QUOTED}))\n`)

    const home = kotlin.file('usr/share/kotlin/kotlinc')
    // The compiler is older than Java 17.
    const env = { ...process.env, JAVA_OPTS: '--add-opens=java.base/java.lang=ALL-UNNAMED' }
    const compiler = join(home, 'bin/kotlinc')
    await run('bash', [compiler, 'Report.kt', '-d', folder], { cwd: folder, env })
    const path = `${folder}:${join(home, 'lib/kotlin-stdlib.jar')}`
    return run('java', ['-cp', path, 'ReportKt'], { cwd: folder })
  },

  async gdscript(code, folder) {
    const { 'godot3-server': godot } = await unpacked('godot3-server')
    await writeFile(join(folder, 'project.godot'), 'config_version=4\n')
    await writeFile(join(folder, 'report.gd'), code)
    const main = `extends SceneTree
func _init():
\tprint("Arrived: ", load("res://report.gd").report(${QUOTED}))
\tquit()
`
    await writeFile(join(folder, 'main.gd'), main)
    const env = { ...process.env, ...godot.env, HOME: folder }
    const { stdout } = await run(
      godot.file('usr/bin/godot3-server'),
      ['--path', folder, '-s', 'main.gd'],
      { env },
    )
    expect(stdout).toContain('Arrived: True')
  },
}

describe('each function of docs/guide/apps.md reports as printed', () => {
  test.for(Object.keys(examples))(
    '%s',
    { timeout: 300_000 },
    async (language, { server, folder }) => {
      const { alice, id, newest } = await aBeta(server)
      const grant = { scopes: ['report'] as const, projectId: id }
      const { key } = await server.inside.apiKeys.create(alice.id, 'App', null, grant)
      const code = printed(language)
        .replaceAll('https://builds.example', server.url)
        .replaceAll('projects/lantern', 'projects/rocket')
        .replaceAll('apk_YOUR_KEY', key)
      expect(code).toContain(key)

      await examples[language]?.(code, folder)

      expect(await newest()).toMatchObject({
        ...{ text: 'It crashed', kind: 'crash', version: '1.5.0', signature: 'NPE in Level.load' },
        ...{ is_from_app: true, attachments: [{ filename: 'app.log', size: 5 }] },
      })
    },
  )
})
