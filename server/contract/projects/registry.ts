import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { describe, line } from '../fields'

/**
 * A registry of containers that is only read (OCI Distribution 1.1), whose clients want it at the
 * root of the host.
 */
export const registry = {
  ping: endpoint('GET', '/v2/', {
    summary: 'Confirms that this host is a container registry',
    access: 'anyone',
    boundKeys: true,
    input: z.object({}),
  }),
  read: endpoint('GET', '/v2/*path', {
    summary:
      'The releases of a project as container images, from uploaded OCI archives, and as ' +
      'artifacts of all files. The name of the repository is the slug, or `t/` and the token ' +
      'of a tester link in hexadecimal',
    access: 'anyone',
    boundKeys: true,
    input: z.object({
      path: describe(
        line(600),
        'The repository with `/tags/list`, `/manifests/` and a tag or digest, or `/blobs/` ' +
          'and a digest',
        'lantern/manifests/latest',
      ),
    }),
    download: true,
    errors: downloadErrors,
  }),
}
