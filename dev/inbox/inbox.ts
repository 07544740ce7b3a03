import { fileURLToPath } from 'node:url';
import { nodeCommand } from '../child-process.ts';
import { respondsOk } from '../ports.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from '../supervisor.ts';

type InboxOptions = {
  port: number;
  smtpPort: number;
  /** The directory of the mails. */
  directory: string;
  logFile: string;
  env?: NodeJS.ProcessEnv;
  /** The address under which other machines open the inbox. Without it, the inbox ignores `listenHost`. */
  publicUrl?: string | undefined;
  listenHost?: string;
};

type Addresses = { url: string; smtpUrl: string };

const host = '127.0.0.1';
const entry = fileURLToPath(new URL('./main.ts', import.meta.url));

/** The process of the inbox, and its URLs. */
export const planInbox = (options: InboxOptions): { plan: ProcessPlan } & Addresses => {
  const { port, smtpPort, directory, logFile, env = process.env, publicUrl, listenHost = host } = options;
  const variables = {
    INBOX_PORT: String(port),
    INBOX_SMTP_PORT: String(smtpPort),
    INBOX_DIR: directory,
    INBOX_HOST: publicUrl === undefined ? host : listenHost,
    INBOX_URL: publicUrl,
  };
  const url = `http://${host}:${port}`;
  const plan: ProcessPlan = {
    name: 'inbox',
    command: nodeCommand(entry, { ...env, ...variables }, import.meta.dirname, logFile),
    isReady: () => respondsOk(`${url}/readyz`),
  };
  return { plan, url, smtpUrl: `smtp://${host}:${smtpPort}` };
};

/** Starts only the inbox, for tests. */
export const startInbox = async (options: InboxOptions): Promise<SupervisedProcess & Addresses> => {
  const { plan, url, smtpUrl } = planInbox(options);
  const inbox = superviseProcess(plan);
  await inbox.start();
  return { ...inbox, url, smtpUrl };
};
