import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'

/** The data folder and its move, for the host account at the window. */
export function dataFolderRoutes(
  router: Router,
  {
    host: { dataFolder },
    watching: { chosenFolders },
    accounts: { audit },
  }: Rooms<'accounts' | 'host' | 'watching'>,
): void {
  const requireFolder = (name: string) => {
    const path = chosenFolders.find(name)
    if (path === undefined) throw notFound('Folder')
    return path
  }
  const show = async () => ({ data_folder: await dataFolder.shown() })

  serve(router, api.dataFolder.show, show)

  serve(router, api.dataFolder.plan, async ({ input }) => ({
    plan: await dataFolder.plan(requireFolder(input.folder)),
  }))

  serve(router, api.dataFolder.move, async ({ input, ctx }) => {
    const to = await dataFolder.start(requireFolder(input.folder))
    audit.record(ctx, { kind: 'data_move', subject: to })
    return show()
  })

  serve(router, api.dataFolder.cancel, () => {
    dataFolder.cancel()
    return show()
  })

  serve(router, api.dataFolder.removeOld, async () => {
    await dataFolder.removeOld()
    return show()
  })
}
