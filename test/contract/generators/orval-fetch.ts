type Connection = { baseUrl: string; fetch: typeof fetch };

let connection: Connection | undefined;

/** Orval's calls share one connection. */
export const connect = (to: Connection): void => {
  connection = to;
};

/** Called by every generated call, in place of `fetch`; errors resolve with their status. */
export const platformFetch = async <Result>(path: string, options: RequestInit): Promise<Result> => {
  if (!connection) throw new Error('Call connect first');
  const response = await connection.fetch(connection.baseUrl + path, options);
  const text = await response.text();
  const data: unknown = text ? JSON.parse(text) : null;
  return { data, status: response.status, headers: response.headers } as Result;
};
