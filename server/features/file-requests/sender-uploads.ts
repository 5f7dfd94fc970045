import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { sentMetadataSchema } from '../../contract/files/file-requests'
import type { FileRequestRecord } from '../../data/records/file-records'
import { requireStillHeld } from '../../http/endpoint/call'
import { parseInput } from '../../http/endpoint/serve'
import { serveLinkUploads } from '../resumable-uploads/link-uploads'
import { requireKind } from './file-request-store'
import { findOpenRequest, findRequest, hideStorage, requireSender, toReceived } from './sender'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>

const { startUpload } = api.fileRequests

/** Resumable uploads to file requests, by tus. */
export function senderUploadRoutes(router: Router, context: Deps): void {
  serveLinkUploads<FileRequestRecord>(router, context, {
    calls: api.fileRequests,
    hideStorage,
    uploadIdOf: ({ uploadId = '' }) => uploadId,
    holds: ({ id }, upload) => upload.received?.requestId === id,
    enter(ctx, params, isNew) {
      const { requestToken } = parseInput(startUpload.input, params)
      return requireSender(context, ctx, requestToken, isNew ? findOpenRequest : findRequest)
    },
    begin(ctx, request, { size, metadata, pairs }) {
      const { filename, ...sender } = parseInput(sentMetadataSchema, pairs)
      requireKind(request, filename)

      const requireRoom = () => {
        requireStillHeld(ctx)
        context.files.fileRequests.requireRoom(request, size)
      }

      requireRoom()
      return context.transfers.resumable.begin(
        {
          ownerId: request.ownerId,
          received: toReceived(request, sender),
          ...{ filename, size, metadata, isPublic: false },
          ...{ projectId: null, version: null, platform: null, sha256: null, fingerprint: null },
        },
        requireRoom,
      )
    },
  })
}
