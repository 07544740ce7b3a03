// Loaded by the test workers and, with `--import`, by the services that they start: records which responses
// the services have produced, for test/response-coverage.ts.

import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { RequestState } from '../src/http/request-state.ts';

/** Set by the test run, and unset in other uses of these modules. */
const directory = process.env['RESPONSE_RECORDS'];
const recorded = new Set<string>();

/**
 * Records a response, such as `GET /api/v1/users 401 TOKEN_INVALID`, also of a gateway. A success has no
 * code.
 */
export const recordResponse = (method: string, path: string, status: number, code = ''): void => {
  const line = `${method} ${path} ${status} ${code}`.trimEnd();
  if (directory === undefined || recorded.has(line)) return;
  recorded.add(line);
  // The write is synchronous, because a test may kill the process at any time.
  appendFileSync(join(directory, `${process.pid}`), `${line}\n`);
};

type Finished = {
  request: IncomingMessage & { originalUrl?: string; state?: RequestState };
  response: ServerResponse;
};

if (directory !== undefined)
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as Finished;
    const { method = '', originalUrl = '', state } = request;
    const code = state?.error?.code;
    // A gateway produces only errors. Other responses are those of its upstreams, which may be fake.
    if (state?.operation || code)
      recordResponse(
        method,
        state?.operation?.openApiRoute ?? originalUrl.replace(/\?.*/s, ''),
        response.statusCode,
        code,
      );
  });

/** The environment of a service that a test starts. */
export const RECORDER_ENVIRONMENT: Record<string, string> =
  directory === undefined ? {} : { RESPONSE_RECORDS: directory, NODE_OPTIONS: `--import ${import.meta.url}` };
