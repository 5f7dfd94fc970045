import { ApiError } from '../../lib/client/api-client'
import { failureText } from '../../lib/client/failure'

/** Describes failures of a form of accounts: also what to do if the host did not answer. */
export const explainFailure = (texts: Parameters<typeof failureText>[1]) => (cause: unknown) => ({
  text: failureText(cause, texts),
  detail:
    cause instanceof ApiError && cause.code === 'offline'
      ? 'The host cannot be reached. Check that it is running and that you are on its network, then try again.'
      : undefined,
})
