import type { Client } from '../../../renderer/lib/client/api-client'
import { anApp } from '../factories'
import { aTesterTicket, aTicket } from '../install/ticket'
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

/** The same through a tester link. */
async function signedForTesters({ server, owner, here }: World, file_id = here.file_id) {
  const { url } = await owner.testers.create({ id: here.id, name: 'Beta group' })
  const token = url.split('/t/')[1] ?? ''
  return { token, file_id, ticket: aTesterTicket(server, token, file_id) }
}

async function testerIcon(world: World, header: string, value: string) {
  const { server, alice, here } = world
  const { file_id } = await anApp(server, alice, { is_public: true, project_id: here.id })
  return (await asking(world, header, value)).install.iconForTesters(await signedForTesters(world, file_id))
}

type TesterInput = Awaited<ReturnType<typeof signedForTesters>>
/** The link is made before the download that is refused. */
const testerApp = (code: Exclude<keyof typeof app, 'not_found'>) => async (world: World) => {
  const input = await signedForTesters(world)
  const refused = downloads(
    (client: Client, given: TesterInput) => client.install.appForTesters(given),
    () => input,
  )
  return refused[code](world)
}

/** The errors of the addresses for the installer of iOS, each with its scenario. */
export const onInstall = {
  manifest: { not_found: (world: World) => world.visitor.install.manifest(signed(world)) },
  icon: {
    not_found: (world: World) => world.visitor.install.icon(signed(world)),
    precondition_failed: (world: World) => askForIcon(world, 'if-match', '"another"'),
    range_not_satisfiable: (world: World) => askForIcon(world, 'range', 'bytes=5000-'),
  },
  manifestForTesters: {
    not_found: async (world: World) => world.visitor.install.manifestForTesters(await signedForTesters(world)),
  },
  iconForTesters: {
    not_found: async (world: World) => world.visitor.install.iconForTesters(await signedForTesters(world)),
    precondition_failed: (world: World) => testerIcon(world, 'if-match', '"another"'),
    range_not_satisfiable: (world: World) => testerIcon(world, 'range', 'bytes=5000-'),
  },
  appForTesters: {
    not_found: async (world: World) =>
      world.visitor.install.appForTesters({ ...(await signedForTesters(world)), token: NONE }),
    precondition_failed: testerApp('precondition_failed'),
    too_many_requests: testerApp('too_many_requests'),
    range_not_satisfiable: testerApp('range_not_satisfiable'),
  },
  app: { ...app, not_found: (world: World) => world.visitor.install.app({ ...signed(world), id: NONE }) },
}
