import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { createDocumentFile, type Document, prefixPaths } from '../documents.ts';

const PRISM = 'test/contract/node_modules/@stoplight/prism-cli/dist/index.js';
/** A path that no document has; its line in the log follows those of all earlier requests. */
const END_OF_LOG = '/end-of-log';
const START_SECONDS = 30;

export type ProxyCounts = {
  /** Requests that reached the gateway. */
  forwarded: number;
  /** Requests that violate the document, or that it does not have. With `--errors`, the proxy rejects them. */
  invalidRequests: number;
  /** Responses of the gateway that violate the document. */
  invalidResponses: number;
};

export type Prism = {
  url: string;
  /** Final after the stop: its log arrives later than its responses. */
  counts: () => ProxyCounts;
  /** The lines of its log about invalid requests and responses. */
  violations: () => string[];
  stop: () => Promise<void>;
};

const INVALID_REQUEST = /Violation: request|prism\/errors#(?!VIOLATIONS)/;
const INVALID_RESPONSE = /Violation: response|prism\/errors#VIOLATIONS/;

/** What the log says about the requests before the end. */
const readLog = (output: string): { counts: ProxyCounts; violations: string[] } => {
  const lines = (output.split(END_OF_LOG)[0] ?? '').split('\n');
  const find = (pattern: RegExp) => lines.filter((line) => pattern.test(line));
  return {
    counts: {
      forwarded: find(/> Forwarding "/).length,
      invalidRequests: find(INVALID_REQUEST).length,
      invalidResponses: find(INVALID_RESPONSE).length,
    },
    violations: [...find(INVALID_REQUEST), ...find(INVALID_RESPONSE)],
  };
};

const waitForUrl = ({ hasExited, output }: NodeProcess): Promise<string> =>
  waitFor(
    'Prism listens',
    () => {
      if (hasExited()) throw new Error(`Prism did not start:\n${output()}`);
      return /Prism is listening on (\S+)/.exec(output())?.[1];
    },
    START_SECONDS,
  );

const completeLog = async ({ hasExited, output }: NodeProcess, url: string): Promise<void> => {
  await fetch(url + END_OF_LOG, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  await waitFor('the log is complete', () => output().includes(END_OF_LOG) || hasExited());
};

/**
 * Starts Prism as a validating proxy. With `errors` it rejects invalid requests and replaces invalid responses by an error;
 * without, it forwards everything and reports what is invalid.
 */
export const startPrism = async (
  document: Document,
  upstream: string,
  { errors }: { errors: boolean },
): Promise<Prism> => {
  // Prism watches the file, so it exists until the stop.
  const { file, remove } = await createDocumentFile(prefixPaths(document));
  const command = [PRISM, 'proxy', file, upstream, `--errors=${errors}`, '--cors=false', '--port=0'];
  const running = startProcess(command, { environment: { PATH: process.env['PATH'] } });
  const stop = async (url?: string): Promise<void> => {
    if (url) await completeLog(running, url);
    await running.stop();
    await remove();
  };
  try {
    const url = await waitForUrl(running);
    return {
      url,
      counts: () => readLog(running.output()).counts,
      violations: () => readLog(running.output()).violations,
      stop: () => stop(url),
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
