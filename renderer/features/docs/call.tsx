import { Badge, Table } from '@mantine/core'
import { errorStatus, scopeOf, type Endpoint } from '../../../server/contract'
import { CodePanel } from './code-panel'
import { CodeTabs } from './code-tabs'
import classes from './docs.module.css'
import { writeExample, isForScripts, languages } from './examples/examples'
import { InlineCode } from './inline-code'
import { errorsOf, type Operation } from './examples/operations'
import { parametersOf } from './examples/parameters'
import { replyOf } from './examples/samples'
import { Section } from './section'
import { errorTexts } from './texts'

function accessText({ access, boundKeys, ...endpoint }: Endpoint): string {
  if (access === 'anyone') return 'No account needed'
  if (access === 'session') return 'Session only'
  if (access === 'window') return 'Session in the app window only'
  if (access === 'host') return 'Host account only, in the app window or by a manage link'
  return (
    'API key that may ' +
    `${scopeOf(endpoint)}${boundKeys ? ', also one of a single project' : ''}, or session`
  )
}

export function Call({ operation, base }: { operation: Operation; base: string }) {
  const { anchor, endpoint } = operation
  const examples = languages.map(
    (language) => [language, () => writeExample(operation, base, language)] as const,
  )
  const code = (
    <>
      {isForScripts(endpoint) && <CodeTabs title={endpoint.summary} examples={examples} />}
      {!endpoint.download && endpoint.status !== 302 && (
        <CodePanel
          title={`Reply ${endpoint.status ?? 200}`}
          of={endpoint.summary}
          code={replyOf(endpoint)}
          copyable={false}
        />
      )}
    </>
  )

  return (
    <Section anchor={anchor} title={endpoint.summary} code={code}>
      <Address endpoint={endpoint} />
      {endpoint.download && (
        <p>Answers with the bytes of the file. Single ranges and HEAD work too.</p>
      )}
      {endpoint.status === 302 && <p>Redirects to the address in the header Location.</p>}
      {endpoint.events && (
        <p>Answers with a stream of events (text/event-stream), each with this as its data.</p>
      )}
      <Parameters operation={operation} />
      <Errors operation={operation} />
    </Section>
  )
}

/** The method and path of a call, and who may use it. */
export const Address = ({ endpoint }: { endpoint: Endpoint }) => (
  <p className={classes.address}>
    <Badge variant="filled" className={classes.method}>
      {endpoint.method}
    </Badge>
    <code>{endpoint.path.replace(/:(\w+)/g, '{$1}')}</code>
    <span className={classes.access}>{accessText(endpoint)}</span>
  </p>
)

function Parameters({ operation }: { operation: Operation }) {
  const parameters = parametersOf(operation)
  if (parameters.length === 0) return null

  return (
    <dl className={classes.parameters} aria-label="Parameters">
      {parameters.map(({ name, place, required, type, text }) => (
        <div key={name} className={classes.parameter}>
          <dt>
            <InlineCode text={name} />
            <span className={classes.kind}>
              {place} · {type}
            </span>
            {required && <span className={classes.required}>required</span>}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Errors({ operation }: { operation: Operation }) {
  const codes = errorsOf(operation)
  if (codes.length === 0) return null

  return (
    <Table
      aria-label="Errors"
      layout="auto"
      horizontalSpacing={0}
      verticalSpacing={4}
      withRowBorders={false}
      fz="xs"
      className={classes.errors}
      data={{
        body: codes.map((code) => [
          errorStatus[code],
          <InlineCode key={code} text={code} />,
          errorTexts[code],
        ]),
      }}
    />
  )
}
