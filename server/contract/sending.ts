/**
 * The permissions of an API key: read; upload files; change and delete everything else; report a
 * problem, the only one that a key inside an app should have.
 */
export const scopes = ['read', 'upload', 'manage', 'report'] as const
export type Scope = (typeof scopes)[number]

/**
 * How a call is sent, and by which keys. Pages begin with this module, so it must import no schema:
 * zod would load before the first view.
 */
export interface Sending {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** `multipart`: one `file` part and the input. `bytes`: raw file bytes. Default: `json`. */
  body?: 'json' | 'multipart' | 'bytes'
  scope?: Scope
}

/** Returns the API key scope that an endpoint requires. */
export function scopeOf({ method, body, scope }: Sending): Scope {
  if (scope !== undefined) return scope
  if (method === 'GET') return 'read'
  return body === 'multipart' || body === 'bytes' ? 'upload' : 'manage'
}

/** Whether the input travels in the body; otherwise in the query. */
export const travelsInBody = ({ method, body }: Sending): boolean =>
  (method === 'POST' || method === 'PUT') && body !== 'bytes'
