import file from '../../../docs/openapi.json?url'

/** The address of the contract as an OpenAPI document, as it was when this page was built. */
export const OPENAPI_FILE = file
