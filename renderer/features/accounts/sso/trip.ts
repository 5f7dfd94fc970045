const KEY = 'slipway.sso'

/** Why a person goes to the provider of single sign-on, and what is to follow. */
export interface Trip {
  purpose: 'sign_in' | 'link' | 'again'
  /** The token of an invite link. */
  invite?: string | undefined
  /** The page that a sign-in or a proof returns to. */
  from?: string | undefined
}

/** Opens the provider. A page that the browser shows again by its Back button loads again. */
export function goToProvider(url: string, trip: Trip): void {
  keepTrip(trip)
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())
  window.location.assign(url)
}

/** Keeps a trip while the person is away: the provider brings none of it back. */
export const keepTrip = (trip: Trip): void => sessionStorage.setItem(KEY, JSON.stringify(trip))

/** The trip that a person returns from. */
export const readTrip = (): Trip =>
  JSON.parse(sessionStorage.getItem(KEY) ?? '{"purpose":"sign_in"}') as Trip

/** Forgets a trip that has ended. */
export const endTrip = (): void => sessionStorage.removeItem(KEY)
