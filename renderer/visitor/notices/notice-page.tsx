/** The page of the links in notices. */
export interface NoticeView {
  /** The project. */
  title: string
  /** What its notices are about: `new releases of Lantern`. */
  about: string
  /** The mail address, shortened; null: a browser. */
  place: string | null
  /** Whether it gets notices; otherwise it asks to confirm the address. */
  isOn: boolean
  /** Where the person asked, for those who have confirmed. */
  page: string | null
  /** Where the buttons go. */
  confirm: string
  end: string
}

export const headingOf = ({ isOn, place }: NoticeView): string =>
  isOn ? `You get ${place === null ? 'notifications' : 'emails'}` : 'Confirm your address'

/** The page of the links in notices. Each change is a button: scanners of mail open links, too. */
export const NoticePage = ({ view }: { view: NoticeView }) => {
  const { title, about, place, isOn, page, confirm, end } = view
  const notices = place === null ? 'notifications' : 'emails'

  return (
    <article className="request-page">
      <header>
        <h1>{headingOf(view)}</h1>
        <p className="byline">
          <span>
            <bdi>{title}</bdi>
          </span>
          {place !== null && (
            <span>
              <bdi>{place}</bdi>
            </span>
          )}
        </p>
      </header>
      <p className="prose">
        {isOn
          ? `This ${place === null ? 'browser' : 'address'} gets ${notices} about ${about}.`
          : `Should this address get emails about ${about}?`}
      </p>
      {page !== null && (
        <p>
          <a href={page}>
            Open <bdi>{title}</bdi>
          </a>
        </p>
      )}
      <form method="post" action={isOn ? end : confirm}>
        <button type="submit" className={isOn ? 'button medium quiet' : 'button medium'}>
          {isOn ? `Stop these ${notices}` : 'Yes, email me'}
        </button>
      </form>
      {!isOn && (
        <p className="dimmed">If you did not ask for it, close this page: nothing is sent.</p>
      )}
    </article>
  )
}
