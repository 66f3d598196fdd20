import { bindFrom } from '@stepwright/app/bindings'
import { http } from '@stepwright/app/functions'
import { objects, storeOf } from '@stepwright/object-store/bindings'
import { campaigns } from '../bindings.ts'
import { requestUpload } from '../request-upload.ts'
import { files } from '../resources.ts'

const remember = bindFrom(campaigns, opened => opened.recordUpload)
const ports = { storeOf: storeOf(objects(files, 'write uploads/*')), remember }
export const RequestUpload = http(requestUpload, ports, {
  caller: 'ownerId',
  envelope: false,
  input: ({ query }) => ({ contentLength: query['content_length'] }),
})
