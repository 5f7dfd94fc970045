import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const root = join(import.meta.dirname, '..')
const folders = ['server', 'cli', 'main', 'preload', 'renderer', 'scripts', 'tests']

interface Verdict {
  files: string[]
  violations: string[]
}

export async function judge(baseDir = root): Promise<Verdict> {
  const options = await extractDepcruiseOptions(join(root, '.dependency-cruiser.cjs'))
  const present = folders.filter((folder) => existsSync(join(baseDir, folder)))
  const tsConfig = extractTSConfig(join(root, 'tsconfig.json'))

  const { output } = await cruise(present, { ...options, baseDir }, {}, { tsConfig })
  const { modules, summary } = output as ICruiseResult

  return {
    files: modules
      .map(({ source }) => source)
      .filter((source) => /^[a-z]+\/.*\.tsx?$/.test(source)),
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  }
}

if (import.meta.main) {
  const { files, violations } = await judge()
  const unread = folders.filter((folder) => !files.some((file) => file.startsWith(`${folder}/`)))
  const problems = [...violations, ...unread.map((folder) => `no file of ${folder}/ was read`)]
  console.log([...problems, `${files.length} files, ${problems.length} violations`].join('\n'))
  process.exitCode = problems.length === 0 ? 0 : 1
}
