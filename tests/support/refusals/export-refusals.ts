import { importFile, exported } from '../exports'
import { MB } from '../../../server/contract'
import { aDiskWith, aFile, allow } from '../world/factories'
import type { Scenario, World } from './refusals'

/** The export of alice's account, among her files. */
async function anExport({ server, alice }: World): Promise<string> {
  const bytes = new Uint8Array(await exported(server, alice))
  return (await aFile(server, alice, { filename: 'export.zip', bytes })).file_id
}

/** A private file that is larger than the largest file, as the ZIP of an import may be. */
async function aLargeFile({ server, alice }: World): Promise<string> {
  const { file_id } = await aFile(server, alice, {
    filename: 'export.zip',
    bytes: new Uint8Array(MB + 1),
  })
  await allow(server, { largest_file: MB })
  return file_id
}

/** What an import refuses before it begins, and what its ZIP is not for. */
export const exportRefusals = {
  'exports.import taken': async (w) => w.owner.exports.import({ file_id: await anExport(w) }),
  'exports.import too_many_records': async (w) => {
    const file_id = await anExport(w)
    await allow(w.server, { projects_per_account: 1 })
    return w.owner.exports.import({ file_id, as_copy: true })
  },
  'exports.import too_large': async (w) => {
    const bytes = new Uint8Array(MB + 1)
    await aFile(w.server, w.alice, { filename: 'large.bin', bytes })
    const file_id = await anExport(w)
    await allow(w.server, { largest_file: MB })
    return w.owner.exports.import({ file_id, as_copy: true })
  },
  'exports.import busy': async (w) => {
    const fileId = await anExport(w)
    const options = { asCopy: true }
    const runs = [1, 2].map(() => importFile(w.server, w.alice, fileId, options))
    for (const run of await Promise.allSettled(runs))
      if (run.status === 'rejected') throw run.reason
    return undefined
  },
  'exports.import disk_full': async (w) => {
    const file_id = await anExport(w)
    aDiskWith(w.server, 0)
    return w.owner.exports.import({ file_id, as_copy: true })
  },
  'files.setVisibility too_large': async (w) =>
    w.owner.files.setVisibility({ id: await aLargeFile(w), is_public: true }),
  'projects.link too_large': async (w) =>
    w.owner.projects.link({ id: w.here.id, file_id: await aLargeFile(w) }),
  'shareLinks.create too_large': async (w) =>
    w.owner.shareLinks.create({ id: await aLargeFile(w) }),
} satisfies Record<string, Scenario>
