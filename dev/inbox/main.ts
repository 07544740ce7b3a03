// The development inbox, a process of its own: takes mail over SMTP, shows it over HTTP, on 127.0.0.1 only.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInboxApp } from './inbox-app.ts';
import { openMailStore } from './mail-store.ts';
import { createSmtpListener } from './smtp-listener.ts';

const host = '127.0.0.1';

const readPort = (name: string): number => {
  const port = Number(process.env[name]);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name} is "${process.env[name]}", which is not a port`);
};

const webPort = readPort('INBOX_PORT');
const smtpPort = readPort('INBOX_SMTP_PORT');
const directory = process.env.INBOX_DIR;
if (!directory) throw new Error('INBOX_DIR is needed: the directory the mails are kept in');

const store = await openMailStore(directory);
const smtp = createSmtpListener(store.add);
const web = createServer(createInboxApp(store));
// Ready, as the page's port tells, means that mail is taken: so SMTP comes first.
await once(smtp.listen(smtpPort, host), 'listening');
await once(web.listen(webPort, host), 'listening');
console.log(`inbox: SMTP on ${host}:${smtpPort}, page on http://${host}:${webPort}`);

const stop = () => {
  web.close();
  web.closeAllConnections();
  smtp.close(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
