import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, release, tmpdir, totalmem, type as system } from 'node:os'

const INTRO = `# Benchmarks

Each section is the output of \`npm run bench -- <name>\` on the computer that it names: the real
server, bundled as it ships, over real HTTP, on a real disk.

How to read it: trust ratios within one row, whose programs took turns. Figures of different
computers or days say nothing about a change; to judge one, name the \`dist/server/cli.js\` of
another checkout in \`BENCH_DIST\`, which then takes turns too. CPU time of the server says what a
request costs; other work on the computer only adds to it, so the least of the turns stands in
brackets beside the median. Rates and percentiles fall with each other program that runs.
`

export async function keepSection(
  file: string,
  name: string,
  output: string,
  now: Date,
): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => INTRO)
  const [, ...sections] = before.split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`## ${name}\n`))

  const day = now.toISOString().slice(0, 10)
  const section = `## ${name}\n\n${machine()}, ${day}; ${busyness()}.\n\n${output.trim()}\n\n`
  const all = [...others.map((other) => `${other.trim()}\n\n`), section].sort()
  await writeFile(file, `${[INTRO.trim(), ...all.map((one) => one.trim())].join('\n\n')}\n`)
}

function machine(): string {
  const [first] = cpus()
  const memory = `${(totalmem() / 1024 ** 3).toFixed(0)} GiB of memory`
  return (
    `${first?.model.trim() ?? 'CPU'} × ${cpus().length}, ${memory}, ${disk()}, ${system()} ` +
    `${release()}, Node ${process.version}`
  )
}

/** Marks figures from a busy machine. */
const busyness = () => `load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end`

function disk(): string {
  try {
    return execFileSync('findmnt', ['-no', 'FSTYPE', '-T', tmpdir()], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown disk'
  }
}
