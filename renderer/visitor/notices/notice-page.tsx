/** The page of the links in notices. */
export interface NoticeView {
  /** The project. */
  title: string
  /** What its notices are about: `new releases of Lantern`. */
  about: string
  /** The mail address, shortened. */
  place: string
  /** Whether it gets notices; otherwise it asks to confirm the address. */
  isOn: boolean
  /** Where the buttons go. */
  confirm: string
  end: string
}

/** The page of the links in mails. Each change is a button: scanners of mail open links, too. */
export const NoticePage = ({ view }: { view: NoticeView }) => {
  const { title, about, place, isOn, confirm, end } = view

  return (
    <article className="request-page">
      <header>
        <h1>{isOn ? 'You get mails' : 'Confirm your address'}</h1>
        <p className="byline">
          <span>
            <bdi>{title}</bdi>
          </span>
          <span>
            <bdi>{place}</bdi>
          </span>
        </p>
      </header>
      <p className="prose">
        {isOn
          ? `This address gets mails about ${about}.`
          : `Should this address get mails about ${about}?`}
      </p>
      <form method="post" action={isOn ? end : confirm}>
        <button type="submit" className={isOn ? 'button medium quiet' : 'button medium'}>
          {isOn ? 'Stop these mails' : 'Yes, send me mails'}
        </button>
      </form>
      {!isOn && (
        <p className="dimmed">If you did not ask for it, close this page: nothing is sent.</p>
      )}
    </article>
  )
}
