import type {
  Aged,
  Call,
  FaultHits,
  Mail,
  Mailbox,
  MailPage,
  MailQuery,
  NewFault,
  NewPerson,
  Person,
} from './calls.ts';
import { createStorageState, type StorageState, type StorageStateOptions } from './storage-state.ts';

type Wanted = Pick<MailQuery, 'to' | 'mail' | 'after' | 'wait'>;

/** A fault that requests of the label meet. */
export type Fault = { id: string; hits: () => Promise<FaultHits>; delete: () => Promise<void> };

/** One test: what it makes belongs to it, and concerns no other. */
export type Label = {
  name: string;
  gatewayUrl: string;
  /** The headers by which a request belongs to the label. */
  headers: Record<string, string>;
  /** The `fetch` of the runtime with these headers, for a client of the platform. */
  fetch: (request: Request, init?: RequestInit) => Promise<Response>;
  /** Makes a person, by default a customer with a verified address. */
  person: (options?: NewPerson) => Promise<Person>;
  /** Lets time pass for this person alone. @param by a duration of ISO 8601, such as `PT15M1S` */
  age: (person: Pick<Person, 'id'>, by: string) => Promise<Aged>;
  /**
   * Waits for the first mail that fits, by default ten seconds.
   * @throws Error if none comes
   */
  mail: (wanted?: Wanted) => Promise<Mail>;
  /** The mails so far, oldest first, and where to continue. */
  mails: (wanted?: Wanted) => Promise<MailPage>;
  /** Lets the mail server reject the next mails to the person. */
  mailbox: (person: Pick<Person, 'id'>, mailbox: Mailbox) => Promise<void>;
  /** Lets requests of the label fail. */
  fault: (fault: NewFault) => Promise<Fault>;
  /** A client network from which no request has come yet; send it as `X-Test-Network`. */
  network: () => Promise<string>;
  /** A browser in which the person is signed in, with a session of its own. */
  storageState: (person: Person, options?: StorageStateOptions) => Promise<StorageState>;
  /** Deletes everything of the label. */
  delete: () => Promise<void>;
};

const toQuery = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
};

const createFault = async (call: Call, fault: NewFault & { label: string }): Promise<Fault> => {
  const { id } = await call<{ id: string }>('POST', '/faults', fault);
  return {
    id,
    hits: () => call<FaultHits>('GET', `/faults/${id}`),
    delete: () => call('DELETE', `/faults/${id}`),
  };
};

/** @param name `[a-z0-9-]{1,40}` */
export const createLabel = (call: Call, gatewayUrl: string, name: string): Label => {
  const headers = { 'X-Test-Label': name };
  // `to` finds mails to addresses that no account has yet, too.
  const mails = (wanted: Wanted = {}) =>
    call<MailPage>('GET', `/mails?${toQuery(wanted.to === undefined ? { label: name, ...wanted } : wanted)}`);
  return {
    name,
    gatewayUrl,
    headers,
    fetch: (request, init) => {
      const labelled = new Request(request, init);
      labelled.headers.set('X-Test-Label', name);
      return fetch(labelled);
    },
    person: (options = {}) => call<Person>('POST', '/people', { label: name, ...options }),
    age: ({ id }, by) => call<Aged>('POST', `/people/${id}/age`, { by }),
    mails,
    mail: async (wanted = {}) => {
      const { data } = await mails({ wait: 10, ...wanted });
      const [first] = data;
      if (first) return first;
      throw new Error(`No mail has come to ${name}: ${JSON.stringify(wanted)}`);
    },
    mailbox: ({ id }, mailbox) => call('PUT', `/people/${id}/mailbox`, mailbox),
    fault: (fault) => createFault(call, { label: name, ...fault }),
    network: async () => (await call<{ network: string }>('POST', `/labels/${name}/network`)).network,
    storageState: (person, options) => createStorageState({ gatewayUrl, headers }, person, options),
    delete: () => call('DELETE', `/labels/${name}`),
  };
};
