import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Envelope, envelopeHeaders, type Mail, readMail } from './mail.ts';

/** The store keeps the newest mails, up to `count` of them and `bytes` in total. */
type MailLimits = { count: number; bytes: number };

export type MailStore = {
  /** Resolves when the mail is on disk, so that it may be acknowledged. */
  add(raw: Buffer, envelope: Envelope): Promise<Mail>;
  /** Newest last. */
  list(): Promise<Mail[]>;
  find(id: string): Promise<Mail | undefined>;
  clear(): Promise<void>;
  /** Changes with the list, and with each restart. */
  version(): string;
};

type Entry = { mail: Mail; bytes: number };

const suffix = '.eml';
const defaultLimits: MailLimits = { count: 5_000, bytes: 200 * 1024 * 1024 };

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

/** The ids sort in the order of arrival. */
const createIds = () => {
  let last = 0;
  return () => {
    last = Math.max(Date.now() * 1000, last + 1);
    return `${String(last).padStart(17, '0')}-${randomBytes(4).toString('hex')}`;
  };
};

/** The files of the stored mails, oldest first; removes incomplete and surplus files. */
const listStored = async (directory: string, count: number): Promise<string[]> => {
  const names = (await readdir(directory)).sort();
  const mails = names.filter((name) => name.endsWith(suffix));
  const surplus = [...names.filter((name) => name.endsWith('.new')), ...mails.slice(0, -count)];
  await Promise.all(surplus.map((name) => rm(join(directory, name), { force: true })));
  return mails.slice(-count);
};

const readStored = async (directory: string, names: string[]): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (const name of names) {
    try {
      const raw = await readFile(join(directory, name));
      entries.push({ mail: await readMail(name.slice(0, -suffix.length), raw), bytes: raw.length });
    } catch (error) {
      console.error(`inbox: ${name} cannot be read:`, error); // e.g. stored while the stack ran as root
    }
  }
  return entries;
};

/** The number of mails to remove, oldest first. The newest one stays, however large. */
const countSurplus = (entries: Entry[], limits: MailLimits): number => {
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  let kept = entries.length;
  for (const entry of entries) {
    if (kept <= 1 || (kept <= limits.count && bytes <= limits.bytes)) break;
    bytes -= entry.bytes;
    kept -= 1;
  }
  return entries.length - kept;
};

/** Opens the store. The mails of earlier runs are read in the background; reading methods wait for them. */
export const openMailStore = async (directory: string, limits = defaultLimits): Promise<MailStore> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stored = await listStored(directory, limits.count);
  const nextId = createIds();
  const boot = randomBytes(4).toString('hex');
  const entries: Entry[] = [];
  let changes = 0;

  const removeOldest = async (count: number): Promise<void> => {
    const removed = entries.splice(0, count);
    await Promise.all(removed.map(({ mail }) => rm(join(directory, mail.id + suffix), { force: true })));
  };
  const insert = async (added: Entry[]): Promise<void> => {
    entries.push(...added);
    entries.sort((one, other) => (one.mail.id < other.mail.id ? -1 : 1));
    changes += 1;
    await removeOldest(countSurplus(entries, limits));
  };
  const loaded = readStored(directory, stored).then(insert);
  loaded.catch((error: unknown) => console.error('inbox:', error));

  return {
    add: async (raw, envelope) => {
      const id = nextId();
      const parts = [Buffer.from(envelopeHeaders(envelope)), raw];
      await writeDurably(directory, id + suffix, parts);
      const whole = Buffer.concat(parts);
      const mail = await readMail(id, whole);
      await insert([{ mail, bytes: whole.length }]);
      return mail;
    },
    list: async () => {
      await loaded;
      return entries.map((entry) => entry.mail);
    },
    find: async (id) => {
      await loaded;
      return entries.find((entry) => entry.mail.id === id)?.mail;
    },
    clear: async () => {
      await loaded;
      changes += 1;
      await removeOldest(entries.length);
    },
    version: () => `${boot}-${changes}`,
  };
};
