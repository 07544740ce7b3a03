const MAX_BYTES = 1_048_576;

const readBody = async (body: NonNullable<Response['body']>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The response has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * `fetch` for servers of other parties: follows no redirects, reads the whole body before the signal aborts,
 * and at most 1 MiB.
 */
export const fetchWithLimits = async (
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> => {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const body = response.body ? await readBody(response.body) : null;
  return new Response(body && body.length > 0 ? body : null, response);
};
