import { formatDate, formatQuantity, formatSize } from '../../../server/texts/format'
import { formatKinds, type RequestView } from '../../../server/texts/request-view'

/**
 * Sends files to the owner of a file request. Works without scripts, with one file at a time; the
 * script (renderer/send-files.ts) sends several, shows progress and resumes.
 */
export const RequestPage = ({ view }: { view: RequestView }) => {
  const { owner, name, until, filesLeft, kinds, largest, form, uploads, chunk, problem } = view

  return (
    <article className="request-page">
      <header>
        <h1>
          <bdi>{owner}</bdi> asks you for files
        </h1>
        <p className="asked">
          <bdi>{name}</bdi>
        </p>
        <p className="byline">
          <span>
            The link works until <time dateTime={until}>{formatDate(until)}</time>
          </span>
          <span>It takes {formatQuantity(filesLeft, 'more file')}</span>
          <span>Up to {formatSize(largest)} each</span>
          {kinds.length > 0 && <span>Only {formatKinds(kinds)}</span>}
        </p>
      </header>
      <form
        method="post"
        action={form}
        encType="multipart/form-data"
        data-uploads={uploads}
        data-chunk={chunk}
        data-largest={largest}
      >
        <label htmlFor="from">Your name</label>
        <input id="from" name="from" required maxLength={60} autoComplete="name" />
        <label htmlFor="message">
          Message <span className="dimmed">(optional)</span>
        </label>
        <textarea id="message" name="message" maxLength={500} rows={3} />
        <label htmlFor="file">File</label>
        <input
          id="file"
          name="file"
          type="file"
          accept={kinds.length === 0 ? undefined : kinds.map((kind) => `.${kind}`).join()}
          required
        />
        <p className="problem" role="alert">
          {problem}
        </p>
        <ul className="sending" aria-label="Chosen files" />
        <p role="status" />
        <button type="submit" className="button medium">
          Send
        </button>
      </form>
      <p className="dimmed">
        Only <bdi>{owner}</bdi> gets your files, your name and your message.
      </p>
    </article>
  )
}
