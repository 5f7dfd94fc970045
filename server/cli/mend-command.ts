import { createInterface } from 'node:readline/promises'
import { mend, planMend } from '../data/repair/mend'
import { verify } from '../data/repair/verify'
import { formatFiles } from '../texts/format'

/** Shows what mending a library drops, and mends it after confirmation. Returns the exit code. */
export async function mendAsked(dir: string, isAgreed: boolean): Promise<number> {
  const plan = await planMend(dir)
  console.log(plan.summary)
  if (!isAgreed && !(await isAgreedTo('Drop this?'))) {
    console.log('Nothing was changed. Add --yes to drop it without this question.')
    return 1
  }
  const copy = await mend(dir, plan, new Date())
  const files = formatFiles(plan.blobIds.length)
  console.log(
    `The library is repaired. The old library and ${files} of the dropped branch are in ${copy}.`,
  )
  const { problems } = await verify(dir, { readData: false })
  for (const problem of problems) console.error(`Problem: ${problem}`)
  return problems.length === 0 ? 0 : 1
}

/** Asks for confirmation; false without a terminal. */
async function isAgreedTo(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  using terminal = createInterface({ input: process.stdin, output: process.stdout })
  return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
}
