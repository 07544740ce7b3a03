/** What an audit record says about the request: its id, and the client address. */
export type RequestContext = { requestId: string; address: string };
