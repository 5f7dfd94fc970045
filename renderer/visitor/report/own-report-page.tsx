import { formatSize } from '../../../server/texts/format'
import { describeState, reportNouns, type OwnReportView } from '../../../server/texts/report-view'
import { Notify, type NotifyView } from '../notices/notify'
import { Time } from '../parts/text'
import { Facts } from './report-form-page'

/** The private page of a reporter: the report, its state and the answers. Works without scripts. */
export const OwnReportPage = ({ view, notify }: { view: OwnReportView; notify: NotifyView }) => {
  const { title, project, kind, now, sentAt, problem, version } = view
  const name = <bdi>{title}</bdi>

  return (
    <article className="request-page">
      <header>
        <h1>
          Your {reportNouns[kind]} report for{' '}
          {project === null ? name : <a href={project}>{name}</a>}
        </h1>
        <p className="byline">
          <span className="badge">{describeState(view.state, view.fixedIn)}</span>
          <span>
            Sent <Time value={sentAt} now={now} inSentence />
          </span>
          {version !== null && (
            <span>
              Version <bdi>{version}</bdi>
            </span>
          )}
        </p>
      </header>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <State view={view} />
      <p className="dimmed">
        Keep the address of this page: you need it to open your report again. Do not share it.
      </p>
      <section aria-label="Report and answers" className="thread">
        <Said by={null} text={view.text} at={sentAt} now={now} />
        {view.replies.map((reply, index) => (
          <Said key={index} {...reply} now={now} />
        ))}
      </section>
      <Notify view={notify} />
      <Answer view={view} />
      <Files view={view} />
      <Facts facts={view.facts} title="Sent with your report" />
    </article>
  )
}

function State({ view: { state, fixedIn, fix } }: { view: OwnReportView }) {
  if (state === 'new') return <p>Your report has arrived. The answers will be on this page.</p>
  if (state === 'open') return <p>The project team is looking at it.</p>
  if (state === 'closed') return <p>The project team has closed this report.</p>

  return (
    <p className="prose">
      {fixedIn === null ? (
        'It is fixed.'
      ) : (
        <>
          It is fixed in version{' '}
          {fix === null ? (
            <b>
              <bdi>{fixedIn}</bdi>
            </b>
          ) : (
            <a href={fix}>
              <bdi>{fixedIn}</bdi>
            </a>
          )}
          .
        </>
      )}
    </p>
  )
}

interface SaidProps {
  by: string | null
  text: string
  at: string
  now: Date
}

const Said = ({ by, text, at, now }: SaidProps) => (
  <div className={by === null ? 'said' : 'said theirs'}>
    <p className="byline">
      <b>{by === null ? 'You' : <bdi>{by}</bdi>}</b>
      <Time value={at} now={now} />
    </p>
    <p className="words" dir="auto">
      {text}
    </p>
  </div>
)

const Answer = ({ view: { answer, longest } }: { view: OwnReportView }) =>
  answer !== null && (
    <form method="post" action={answer}>
      <label htmlFor="text">Your answer</label>
      <textarea id="text" name="text" required maxLength={longest} rows={3} />
      <button type="submit" className="button medium">
        Send answer
      </button>
    </form>
  )

function Files({ view }: { view: OwnReportView }) {
  const { files, addFile, uploads, chunk, largest } = view

  return (
    <section>
      <h2 className="small">Files</h2>
      {files.length > 0 && (
        <ul className="sending">
          {files.map(({ name, size }, index) => (
            <li key={index}>
              <bdi title={name}>{name}</bdi>
              <span>{formatSize(size)}</span>
            </li>
          ))}
        </ul>
      )}
      {addFile !== null && (
        <form
          method="post"
          action={addFile}
          encType="multipart/form-data"
          data-uploads={uploads}
          data-next=""
          data-chunk={chunk}
          data-largest={largest}
        >
          <label htmlFor="file">Add a file</label>
          <input id="file" name="file" type="file" required />
          <ul className="sending" aria-label="Chosen files" />
          <p className="problem" role="alert" />
          <p role="status" />
          <button type="submit" className="button medium quiet">
            Send
          </button>
        </form>
      )}
    </section>
  )
}
