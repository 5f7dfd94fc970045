const KEY = 'slipway.sso'

/** Why a person goes to the provider of single sign-on, and what is to follow. */
export interface Trip {
  purpose: 'sign_in' | 'link' | 'again'
  /** The token of an invite link. */
  invite?: string | undefined
  /** The page that a sign-in or a proof returns to. */
  from?: string | undefined
}

/** Keeps a trip while the person is away: the provider brings none of it back. */
export const keepTrip = (trip: Trip): void => sessionStorage.setItem(KEY, JSON.stringify(trip))

/** The trip that a person returns from. */
export const readTrip = (): Trip =>
  JSON.parse(sessionStorage.getItem(KEY) ?? '{"purpose":"sign_in"}') as Trip

/** Forgets a trip that has ended. */
export const endTrip = (): void => sessionStorage.removeItem(KEY)
