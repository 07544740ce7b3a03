import { parseArgs } from 'node:util';
import { type AccountKind, ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { isReleased, RELEASES } from '../../tools/releases.ts';
import { isContractFolder } from './contract.ts';

export const USAGE = `npm run check:deployed -- <url> [options]

Checks a running platform from outside, and every response against the OpenAPI documents that it serves, or
against those of a release.
Reads only, unless --write is given.

  <url>                     of the gateway, such as https://api.example.com
  --account <kind>:<email>  signs in, checks the session and signs out; can be repeated. The kind is customer,
                            employee or administrator. The password is CHECK_PASSWORD, or is asked for.
  --origin <origin>         of a frontend that CORS_ORIGINS allows, such as https://app.example.com
  --service <path>          of another service behind the gateway, such as /api/v1/market/projects; can be repeated
  --contract <version>      judges by the documents of this release, such as 1.0.0, from the history of this clone, or
                            of a folder with the YAML files of the release; responses may have more fields
  --rate <number>           the maximum of requests per second (5)
  --write                   for a staging system: also creates users, sends mails and contact forms; with an
                            administrator account, blocks one of these users, and edits and restores a project
    --mail-domain <domain>  of the addresses of these users; required
    --inbox <url>           the development inbox or Mailpit with their mails; without it, the codes are asked for
  --test-bench <file>       the URL is that of a test bench, and this its stack.json, such as .data-test-bench/stack.json:
                            also runs the rules of time on both sides of their limits, and makes people for that
  --help

Exit code 0: all checks passed; 1: a check failed, or the platform is not reachable; 2: wrong usage.`;

export type Account = { kind: AccountKind; email: string };

export type Options = {
  url: string;
  accounts: readonly Account[];
  /** The password of all accounts. If it is not set, the command asks for it. */
  password: string | undefined;
  origin: string | undefined;
  /** The paths of other services. */
  servicePaths: readonly string[];
  /** The release, or the folder of its documents, whose contract judges. Undefined: the deployment's own. */
  release: string | undefined;
  requestsPerSecond: number;
  /** The stack.json of a test bench. Undefined: the platform must be none. */
  stackFile: string | undefined;
  /** If it is undefined, the checks only read. */
  write: { mailDomain: string; inboxUrl: string | undefined } | undefined;
};

/** The message says which arguments are wrong. */
export class UsageError extends Error {}

const KINDS = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d-]{2,}$/i;

const parseUrl = (text: string, what: string): URL => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`${what} must begin with https:// or http://: ${text}`);
  return new URL(text);
};

/** Parses an origin, which consists only of a scheme, a host and a port. */
const parseOrigin = (text: string, what: string): string => {
  const { origin, href } = parseUrl(text, what);
  if (href !== `${origin}/`) throw new UsageError(`${what} must have no path, user or query`);
  return origin;
};

const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/** @throws UsageError if a password would be sent in clear text over a network */
const requireEncryption = (url: string, accounts: readonly string[]): void => {
  const { protocol, hostname } = new URL(url);
  if (accounts.length > 0 && protocol !== 'https:' && !isLoopback(hostname))
    throw new UsageError('--account requires https://, because the password would not be encrypted');
};

const parseAccount = (text: string): Account => {
  const [, name, email] = /^([^:]*):([^\s@]+@[^\s@]+)$/.exec(text) ?? [];
  const kind = KINDS.find((candidate) => candidate.kind === name);
  if (!kind || email === undefined)
    throw new UsageError(`--account must be customer:, employee: or administrator:<email>: ${text}`);
  return { kind, email };
};

const parseServicePath = (text: string): string => {
  if (!/^\/api\/v1\/[\w./-]+$/.test(text))
    throw new UsageError(`--service must begin with /api/v1/: ${text}`);
  return text;
};

const parseRelease = (text: string): string => {
  if (isReleased(text) || isContractFolder(text)) return text;
  const known = RELEASES.map(({ version }) => version).join(', ');
  throw new UsageError(`--contract must be a release (${known}) or a folder with auth.yaml: ${text}`);
};

const parseRate = (text: string): number => {
  const rate = Number(text);
  if (!(rate > 0 && rate <= 1_000)) throw new UsageError(`--rate must be a number from 1 to 1000: ${text}`);
  return rate;
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        account: { type: 'string', multiple: true, default: [] },
        origin: { type: 'string' },
        service: { type: 'string', multiple: true, default: [] },
        contract: { type: 'string' },
        rate: { type: 'string', default: '5' },
        write: { type: 'boolean', default: false },
        'mail-domain': { type: 'string' },
        inbox: { type: 'string' },
        'test-bench': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

type Values = ReturnType<typeof parse>['values'];

const parseWrite = ({ write, inbox, 'mail-domain': mailDomain }: Values): Options['write'] => {
  if (!write) {
    if (inbox ?? mailDomain) throw new UsageError('--inbox and --mail-domain require --write');
    return undefined;
  }
  if (mailDomain === undefined || !DOMAIN.test(mailDomain))
    throw new UsageError('--write requires --mail-domain, a domain whose mails you can read');
  const inboxUrl = inbox === undefined ? undefined : parseOrigin(inbox, '--inbox');
  return { mailDomain, inboxUrl };
};

/** Returns undefined for --help. @throws UsageError */
export const parseOptions = (
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Options | undefined => {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [url, ...others] = positionals;
  if (url === undefined || others.length > 0) throw new UsageError('Give one URL, that of the gateway');
  const origin = parseOrigin(url, 'The URL');
  requireEncryption(origin, values.account);
  return {
    url: origin,
    accounts: values.account.map(parseAccount),
    password: environment['CHECK_PASSWORD'] || undefined,
    origin: values.origin === undefined ? undefined : parseOrigin(values.origin, '--origin'),
    servicePaths: values.service.map(parseServicePath),
    release: values.contract === undefined ? undefined : parseRelease(values.contract),
    requestsPerSecond: parseRate(values.rate),
    stackFile: values['test-bench'],
    write: parseWrite(values),
  };
};
