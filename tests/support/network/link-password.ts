/** A password of a link, as people and programs send it. */
export const PASSWORD = 'open sesame'

/** What a program sends for the password of a link. */
export const basic = (password = PASSWORD) => ({
  authorization: `Basic ${btoa(`any:${password}`)}`,
})

/** The form on the page of a link. */
export const passwordForm = (password = PASSWORD): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ password }),
  redirect: 'manual',
})

/** The cookies of a reply, as a browser sends them. */
export const cookiesOf = ({ headers }: Response) => ({
  cookie: headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; '),
})
