import type { AskedView } from '../../../server/texts/request-view'
import { Time } from '../parts/text'
import { Notify, type NotifyView } from '../notices/notify'
import { Facts } from '../report/report-form-page'

/** The private page of an asker, until it becomes their tester page. Works without scripts. */
export const AskedPage = ({ view, notify }: { view: AskedView; notify: NotifyView | null }) => {
  const { title, project, state, now, sentAt, withdraw } = view
  const name = <bdi>{title}</bdi>

  return (
    <article className="request-page">
      <header>
        <h1>Your request for {project === null ? name : <a href={project}>{name}</a>}</h1>
        <p className="byline">
          <span className="badge">{state === 'waiting' ? 'Waiting' : 'Declined'}</span>
          <span>
            Sent <Time value={sentAt} now={now} inSentence />
          </span>
        </p>
      </header>
      {state === 'waiting' ? (
        <>
          <p>
            Your request has arrived. Open this page again later: when it is approved, the downloads
            are here.
          </p>
          <p className="dimmed">
            Keep the address of this page: you need it to come back. Do not share it.
          </p>
        </>
      ) : (
        <p>The project team has declined your request.</p>
      )}
      {notify !== null && <Notify view={notify} />}
      <Facts facts={listSaid(view)} title="What you sent" />
      <form method="post" action={withdraw}>
        <p className="fine">Withdrawing deletes what you sent. This page ends.</p>
        <button type="submit" className="button medium quiet">
          Withdraw request
        </button>
      </form>
    </article>
  )
}

const listSaid = ({ name, email, note }: AskedView) =>
  [['Name', name] as const, ['Email', email] as const, ['Note', note || null] as const].flatMap(
    ([label, value]) => (value === null ? [] : [[label, value] as const]),
  )
