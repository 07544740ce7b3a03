/** The request id and the client address, which each audit record contains. */
export type RequestContext = { requestId: string; address: string };
