import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'

/** Backups, for the host account at the window. */
export function backupRoutes(
  router: Router,
  {
    host: { backups },
    watching: { chosenFolders },
    accounts: { audit },
  }: Rooms<'accounts' | 'host' | 'watching'>,
): void {
  const show = async () => ({ backups: await backups.shown() })
  serve(router, api.backups.show, show)

  serve(router, api.backups.change, async ({ input, ctx }) => {
    const folder = input.folder === undefined ? undefined : chosenFolders.find(input.folder)
    if (input.folder !== undefined && folder === undefined) throw notFound('Folder')
    await backups.change({ folder, daily: input.daily })
    const daily =
      input.daily === undefined ? [] : [`backups every day: ${input.daily ? 'on' : 'off'}`]
    const detail = [...(folder === undefined ? [] : [`backups in ${folder}`]), ...daily].join(', ')
    if (detail !== '') audit.record(ctx, { kind: 'settings_change', detail })
    return show()
  })

  serve(router, api.backups.run, () => {
    backups.start()
    return show()
  })
}
