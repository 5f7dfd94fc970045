import type { Client } from '../../../renderer/lib/client/api-client'
import { anApp } from '../factories'
import { aTicket } from '../install/ticket'
import { asking, NONE, type World } from './refusals'
import { downloads } from './transfer-refusals'

const signed = ({ server, here }: World, file_id = here.file_id) => ({
  id: here.id,
  file_id,
  ticket: aTicket(server, here.id, file_id),
})

async function askForIcon(world: World, header: string, value: string) {
  const { server, alice, here } = world
  const { file_id } = await anApp(server, alice, { is_public: true, project_id: here.id })
  return (await asking(world, header, value)).install.icon(signed(world, file_id))
}

const app = downloads((client: Client, input: ReturnType<typeof signed>) => client.install.app(input), signed)

/** The errors of the addresses for the installer of iOS, each with its scenario. */
export const onInstall = {
  manifest: { not_found: (world: World) => world.visitor.install.manifest(signed(world)) },
  icon: {
    not_found: (world: World) => world.visitor.install.icon(signed(world)),
    precondition_failed: (world: World) => askForIcon(world, 'if-match', '"another"'),
    range_not_satisfiable: (world: World) => askForIcon(world, 'range', 'bytes=5000-'),
  },
  app: { ...app, not_found: (world: World) => world.visitor.install.app({ ...signed(world), id: NONE }) },
}
