// `npm run check:deployed -- <url>`: checks a running platform from outside; --help lists the options.
import { MissingCommitError } from '../../tools/releases.ts';
import { type Credentials, checkDeployment } from './check-deployment.ts';
import { type Options, parseOptions, USAGE, UsageError } from './config.ts';
import { fetchContract, NoPlatformError } from './contract.ts';
import type { Report } from './run-sections.ts';
import { ask, isInteractive } from './terminal.ts';

const readPasswords = async ({ accounts, password }: Options): Promise<Credentials[]> => {
  const credentials: Credentials[] = [];
  for (const { kind, email } of accounts) {
    const question = `Password of ${kind.kind} ${email}: `;
    credentials.push({ kind, email, password: password ?? (await ask(question, { isHidden: true })) });
  }
  return credentials;
};

const run = async (options: Options): Promise<void> => {
  if (options.accounts.length > 0 && options.password === undefined && !isInteractive())
    throw new UsageError('--account requires the password in CHECK_PASSWORD, or a terminal to ask for it');
  const contract = await fetchContract(options.url, options.release);
  const accounts = await readPasswords(options);
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)));
  const counts = { '✓': 0, '✗': 0, '-': 0, '~': 0 };
  const report: Report = (text, mark) => {
    if (mark !== undefined) counts[mark] += 1;
    console.log(mark === undefined ? text : `${mark} ${text}`);
  };
  await checkDeployment({ ...options, contract, accounts, signal: interruption.signal }, report);
  const repeated = counts['~'] > 0 ? `, ${counts['~']} with a failure named before` : '';
  report(`\n${counts['✓']} passed, ${counts['✗']} failed, ${counts['-']} skipped${repeated}`);
  process.exitCode = counts['✗'] > 0 ? 1 : 0;
};

try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options) await run(options);
  else console.log(USAGE);
} catch (error) {
  const isExpected = [UsageError, NoPlatformError, MissingCommitError].some((type) => error instanceof type);
  if (!isExpected) throw error;
  console.error((error as Error).message);
  if (error instanceof UsageError) console.error('--help lists the options.');
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
