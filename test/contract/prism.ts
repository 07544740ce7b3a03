import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { createDocumentFile, type Document, prefixPaths } from './documents.ts';

const PRISM = 'test/contract/node_modules/@stoplight/prism-cli/dist/index.js';
/** A path that no document contains. Its log line follows the lines of all earlier requests. */
const END_OF_LOG = '/end-of-log';

/** Matches requests and responses that violate the document, and requests that it does not contain. */
const VIOLATION = /Violation: |prism\/errors#/;

type ProxyLog = {
  /** The number of requests that reached the gateway. */
  forwarded: number;
  /** The log lines about violations of the document. */
  violations: string[];
};

export type Prism = {
  url: string;
  /** Reads the log of all requests so far, which is written later than the responses. */
  readLog: () => Promise<ProxyLog>;
  stop: () => Promise<void>;
};

const waitForUrl = ({ hasExited, output }: NodeProcess): Promise<string> =>
  waitFor('Prism listens', () => {
    if (hasExited()) throw new Error(`Prism did not start:\n${output()}`);
    return /Prism is listening on (\S+)/.exec(output())?.[1];
  });

const readLog = async ({ output }: NodeProcess, url: string): Promise<ProxyLog> => {
  await fetch(url + END_OF_LOG, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  await waitFor('the log is complete', () => output().includes(END_OF_LOG));
  const lines = (output().split(END_OF_LOG)[0] ?? '').split('\n');
  const find = (pattern: RegExp) => lines.filter((line) => pattern.test(line));
  return { forwarded: find(/> Forwarding "/).length, violations: find(VIOLATION) };
};

/**
 * Starts Prism as a validating proxy, which rejects invalid requests and replaces invalid responses by an
 * error.
 */
export const startPrism = async (document: Document, upstream: string): Promise<Prism> => {
  // Prism watches the file, so it must exist until the stop.
  const { file, remove } = await createDocumentFile(prefixPaths(document));
  const command = [PRISM, 'proxy', file, upstream, '--errors=true', '--cors=false', '--port=0'];
  const running = startProcess(command, { environment: { PATH: process.env['PATH'] } });
  const stop = async (): Promise<void> => {
    await running.stop();
    await remove();
  };
  try {
    const url = await waitForUrl(running);
    return { url, readLog: () => readLog(running, url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
