import type Router from '@koa/router'
import { api } from '../../contract'
import { filename as filenameField } from '../../contract/fields'
import { requireStillHeld } from '../../http/endpoint/call'
import { parseInput } from '../../http/endpoint/serve'
import { hideStorage } from '../file-requests/sender'
import { serveLinkUploads } from '../resumable-uploads/link-uploads'
import type { ReceiveDeps } from './receive-form'
import { requireAttachmentSize, requireFileRoom } from './report-room'
import { noRoomForReport, requireReporter, type OwnReport } from './reporter'

/** Resumable uploads of files for reports, by tus. */
export function reporterUploadRoutes(router: Router, context: ReceiveDeps): void {
  serveLinkUploads<OwnReport>(router, context, {
    calls: api.reports,
    uploadIdOf: ({ reportUploadId = '' }) => reportUploadId,
    hideStorage: (upload) => hideStorage(upload, noRoomForReport),
    holds: ({ report }, upload) => upload.report?.id === report.id,
    enter: async (ctx, params) =>
      requireReporter(context, ctx, parseInput(api.reports.startUpload.input, params).reportToken),
    begin(ctx, { report, project }, { size, metadata, pairs }) {
      const filename = parseInput(filenameField(), pairs['filename'])
      requireAttachmentSize(context, size)
      const requireRoom = () => {
        requireStillHeld(ctx)
        const now = context.projects.reports.find(report.id) ?? report
        requireFileRoom(context, project, now, size)
      }

      requireRoom()
      return context.transfers.resumable.begin(
        {
          ownerId: project.ownerId,
          report: { id: report.id, projectId: project.id },
          ...{ filename, size, metadata, isPublic: false },
          ...{ projectId: null, version: null, platform: null, sha256: null, fingerprint: null },
        },
        requireRoom,
      )
    },
  })
}
