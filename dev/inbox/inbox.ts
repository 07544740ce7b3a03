import { fileURLToPath } from 'node:url';
import { nodeCommand } from '../child-process.ts';
import { answersOk } from '../probes.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from '../supervisor.ts';

export type InboxOptions = {
  port: number;
  smtpPort: number;
  /** Where the mails are kept. */
  directory: string;
  logFile: string;
  env?: NodeJS.ProcessEnv;
};

type Addresses = { url: string; smtpUrl: string };

const host = '127.0.0.1';
const entry = fileURLToPath(new URL('./main.ts', import.meta.url));

/** How the inbox is run. */
export const planInbox = (options: InboxOptions): { plan: ProcessPlan } & Addresses => {
  const { port, smtpPort, directory, logFile, env = process.env } = options;
  const own = { INBOX_PORT: String(port), INBOX_SMTP_PORT: String(smtpPort), INBOX_DIR: directory };
  const url = `http://${host}:${port}`;
  const plan: ProcessPlan = {
    name: 'inbox',
    command: nodeCommand(entry, { ...env, ...own }, import.meta.dirname, logFile),
    isReady: () => answersOk(`${url}/readyz`),
    stopSeconds: 5,
  };
  return { plan, url, smtpUrl: `smtp://${host}:${smtpPort}` };
};

/** The inbox on its own, for tests. */
export const startInbox = async (options: InboxOptions): Promise<SupervisedProcess & Addresses> => {
  const { plan, url, smtpUrl } = planInbox(options);
  const inbox = superviseProcess(plan);
  await inbox.start();
  return { ...inbox, url, smtpUrl };
};
