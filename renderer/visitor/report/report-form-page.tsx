import { formatSize } from '../../../server/texts/format'
import type { ReportFormView } from '../../../server/texts/report-view'

/**
 * Reports a problem. Works without scripts, with all files in one request; the script
 * (renderer/send-files.ts) sends the text first, then each file with its progress, and resumes.
 */
export const ReportFormPage = ({ view }: { view: ReportFormView }) => {
  const { title, back, form, secret, uploads, chunk, largest, most, longest, problem } = view

  return (
    <article className="request-page">
      <header>
        <h1>Report a problem</h1>
        <p className="byline">
          <span>
            To the team of{' '}
            <a href={back}>
              <bdi>{title}</bdi>
            </a>
          </span>
          <span>No account needed</span>
        </p>
      </header>
      <form
        method="post"
        action={form}
        encType="multipart/form-data"
        data-uploads={uploads}
        data-next={`/r/${secret}`}
        data-chunk={chunk}
        data-largest={largest}
        data-most={most}
      >
        <input type="hidden" name="key" value={secret} />
        <fieldset className="kinds">
          <legend>What is it?</legend>
          <label>
            <input type="radio" name="kind" value="problem" defaultChecked /> A problem
          </label>
          <label>
            <input type="radio" name="kind" value="idea" /> An idea
          </label>
        </fieldset>
        <label htmlFor="text">What happened?</label>
        <textarea id="text" name="text" required maxLength={longest} rows={7} />
        <Versions view={view} />
        <label htmlFor="from">
          Your name <span className="dimmed">(optional)</span>
        </label>
        <input id="from" name="from" maxLength={60} autoComplete="name" />
        <label htmlFor="file">
          Screenshots and logs <span className="dimmed">(optional)</span>
        </label>
        <input id="file" name="file" type="file" multiple aria-describedby="about-files" />
        <p className="fine" id="about-files">
          Up to {most} files of {formatSize(largest)}. Photos lose their place and camera data
          before anyone sees them; other files are sent as they are.
        </p>
        <ul className="sending" aria-label="Chosen files" />
        <Facts facts={view.facts} title="Sent with your report" />
        <p className="problem" role="alert">
          {problem}
        </p>
        <p role="status" />
        <button type="submit" className="button medium">
          Send
        </button>
      </form>
      <p className="dimmed">
        Only the people of <bdi>{title}</bdi> can read it. You get a private page with their
        answers.
      </p>
    </article>
  )
}

const Versions = ({ view: { versions, version } }: { view: ReportFormView }) =>
  versions.length > 0 && (
    <>
      <label htmlFor="version">Version</label>
      <select id="version" name="version" defaultValue={version}>
        {versions.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="">Another one, or I do not know</option>
      </select>
    </>
  )

interface FactsProps {
  title: string
  facts: ReportFormView['facts']
}

/** What is known of the device of a reporter. */
export const Facts = ({ title, facts }: FactsProps) =>
  facts.length > 0 && (
    <section>
      <h2 className="small">{title}</h2>
      <dl className="known">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
