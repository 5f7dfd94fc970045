import { parse } from 'yaml'

/** The values of contexts, such as `github.event.number`. */
export type Contexts = Readonly<Record<string, string>>

interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>
  runs: { steps: { shell: string; env: Record<string, string>; run: string }[] }
}

/** A command, with the environment that it gets beside that of the runner. */
interface Step {
  command: readonly string[]
  env: Record<string, string>
}

/** A name, which may be compared with a text; undefined contexts are empty. */
export function evaluate(expression: string, contexts: Contexts): string {
  const [, name, operator, text] = /^([\w.-]+)(?: (==|!=) '([^']*)')?$/.exec(expression) ?? []
  if (name === undefined) throw new Error(`Cannot evaluate ${expression}`)
  const value = contexts[name] ?? ''
  return operator === undefined ? value : String((value === text) === (operator === '=='))
}

/** Replaces `${{ expressions }}`. */
export const filled = (text: string, contexts: Contexts): string =>
  text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => evaluate(expression, contexts))

/** Lines of the shell, as GitHub runs them. */
export const bash = (lines: string): string[] => [
  ...['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'],
  lines,
]

/**
 * The step of a composite action of ours with these inputs. Throws for one that it lacks, or does
 * not know.
 */
export function actionStep(
  text: string,
  given: Readonly<Record<string, string | boolean>>,
  contexts: Contexts,
): Step {
  const { inputs, runs } = parse(text) as Action
  const unknown = Object.keys(given).find((name) => !(name in inputs))
  if (unknown !== undefined) throw new Error(`The action has no input ${unknown}`)

  const values = Object.entries(inputs).map(([name, { default: usual, required }]) => {
    if (required === true && !(name in given)) throw new Error(`The action needs ${name}`)
    return [`inputs.${name}`, filled(String(given[name] ?? usual ?? ''), contexts)]
  })
  const [step] = runs.steps
  if (step?.shell !== 'bash' || runs.steps.length > 1) throw new Error('Not one step of bash')

  const known = Object.fromEntries(values) as Contexts
  const env = Object.entries(step.env).map(([name, value]) => [name, filled(value, known)])
  return { command: bash(step.run), env: Object.fromEntries(env) as Record<string, string> }
}
