import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Envelope, envelopeHeaders, type Mail, readMail } from './mail.ts';

export type MailStore = {
  /** Resolves when the mail is on disk, so that it may be acknowledged. */
  add(raw: Buffer, envelope: Envelope): Promise<Mail>;
  /** The mails that match, newest last. */
  list(filter?: MailFilter): Promise<Mail[]>;
  find(id: string): Promise<Mail | undefined>;
  /** Deletes the mails that match. */
  remove(filter?: MailFilter): Promise<void>;
  /** Resolves when the list changes, or the signal aborts. */
  untilChanged(signal: AbortSignal): Promise<void>;
  /** Changes whenever the list changes, and with each restart. */
  version(): string;
};

/** `to`: an address, in any case; `mail`: the platform's name of a mail; `after`: the id of an earlier mail. */
export type MailFilter = { to?: string | undefined; mail?: string | undefined; after?: string | undefined };

const suffix = '.eml';
/** The number of the newest mails that are kept. */
const defaultLimit = 5_000;

/** After a crash at any time, the file is either complete or absent. */
const writeDurably = async (directory: string, name: string, parts: Buffer[]): Promise<void> => {
  const temporary = join(directory, `${name}.new`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writev(parts);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(directory, name));
};

/** Returns ids that sort in the order of arrival. */
const createIds = () => {
  let last = 0;
  return () => {
    last = Math.max(Date.now() * 1000, last + 1);
    return `${String(last).padStart(17, '0')}-${randomBytes(4).toString('hex')}`;
  };
};

/** Returns the files of the stored mails, oldest first; deletes incomplete and surplus files. */
const listStored = async (directory: string, count: number): Promise<string[]> => {
  const names = (await readdir(directory)).sort();
  const mails = names.filter((name) => name.endsWith(suffix));
  const surplus = [...names.filter((name) => name.endsWith('.new')), ...mails.slice(0, -count)];
  await Promise.all(surplus.map((name) => rm(join(directory, name), { force: true })));
  return mails.slice(-count);
};

/** The addresses in lower case, once for each mail: tests ask for an address many times a second. */
type StoredMail = { mail: Mail; recipients: string[] };

const toStoredMail = (mail: Mail): StoredMail => ({
  mail,
  recipients: [...mail.to, ...mail.envelope.to].map((address) => address.toLowerCase()),
});

const matches = ({ to, mail: name }: MailFilter, { mail, recipients }: StoredMail): boolean =>
  (to === undefined || recipients.includes(to)) && (name === undefined || mail.mail === name);

/** `after` skips what came before without a look: each new mail wakes everybody who waits for one. */
const filterMails = (mails: StoredMail[], { to, after, ...filter }: MailFilter): StoredMail[] => {
  const first = after === undefined ? 0 : mails.findLastIndex(({ mail }) => mail.id <= after) + 1;
  const wanted = { ...filter, to: to?.toLowerCase() };
  return mails.slice(first).filter((stored) => matches(wanted, stored));
};

const readStored = async (directory: string, names: string[]): Promise<Mail[]> => {
  const mails: Mail[] = [];
  for (const name of names) {
    try {
      mails.push(await readMail(name.slice(0, -suffix.length), await readFile(join(directory, name))));
    } catch (error) {
      console.error(`inbox: ${name} cannot be read:`, error); // e.g. stored while the stack ran as root
    }
  }
  return mails;
};

/** Opens the store. The mails of earlier runs are read in the background; reading methods wait for them. */
export const openMailStore = async (directory: string, limit = defaultLimit): Promise<MailStore> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stored = await listStored(directory, limit);
  const nextId = createIds();
  const boot = randomBytes(4).toString('hex');
  let mails: StoredMail[] = [];
  let changes = 0;
  const events = new EventEmitter().setMaxListeners(0);

  const change = async (next: StoredMail[], removed: StoredMail[]): Promise<void> => {
    mails = next;
    changes += 1;
    events.emit('change');
    await Promise.all(removed.map(({ mail }) => rm(join(directory, mail.id + suffix), { force: true })));
  };
  const insert = async (added: Mail[]): Promise<void> => {
    const all = [...mails, ...added.map(toStoredMail)].sort((one, other) =>
      one.mail.id < other.mail.id ? -1 : 1,
    );
    await change(all.slice(-limit), all.slice(0, -limit));
  };
  const loaded = readStored(directory, stored).then(insert);
  loaded.catch((error: unknown) => console.error('inbox:', error));

  return {
    add: async (raw, envelope) => {
      const id = nextId();
      const parts = [Buffer.from(envelopeHeaders(envelope)), raw];
      await writeDurably(directory, id + suffix, parts);
      const mail = await readMail(id, Buffer.concat(parts));
      await insert([mail]);
      return mail;
    },
    list: async (filter = {}) => {
      await loaded;
      return filterMails(mails, filter).map(({ mail }) => mail);
    },
    find: async (id) => {
      await loaded;
      return mails.find(({ mail }) => mail.id === id)?.mail;
    },
    remove: async (filter = {}) => {
      await loaded;
      const removed = new Set(filterMails(mails, filter));
      await change(
        mails.filter((stored) => !removed.has(stored)),
        [...removed],
      );
    },
    untilChanged: async (signal) => {
      await once(events, 'change', { signal }).catch(() => undefined);
    },
    version: () => `${boot}-${changes}`,
  };
};
