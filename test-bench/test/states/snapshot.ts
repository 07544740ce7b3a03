import type { Operation } from '@platform/shared/testing/openapi-operations';
import { waitFor } from '@platform/shared/testing/poll';
import { dumpDatabase, queryDatabase } from '@platform/shared/testing/query-database';
import type { useTestBench } from '../../testing/use-test-bench.ts';
import { type MadePerson, sendFrom } from './by-hand.ts';

type Bench = ReturnType<ReturnType<typeof useTestBench>>;

/** Two people in the same state may differ in these: ids, times, addresses, hashes, tokens and texts of a random person. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/(?:test-bench|device)-[0-9a-f-]{16,}/g, '<device>'],
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '<id>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?/g, '<time>'],
  [/\d{1,2} \w+ \d{4} at \d\d:\d\d UTC/g, '<time>'],
  [/(?:198\.1[89]|198\.51|127\.0)\.\d+\.\d+(?:\/\d+)?/g, '<network>'],
  [/[\w.+…-]+(?:@|%40)example\.(?:com|net)/g, '<e-mail>'],
  [/http:\/\/<network>:\d+/g, '<address>'],
  [/\b[a-z2-7]{4}(?:-[a-z2-7]{4}){7}\b/g, '<code>'],
  [/\b\d{6}\b/g, '<code>'],
  [/(totp_factors .*,)\d{8}(,)/g, '$1<time step>$2'],
  [/(events \()\d+/g, '$1<number>'],
  [/(company\}?,(?:,,)?<address>,)[^,]+/g, '$1<subject>'],
  [/("subject":")[^"]+/g, '$1<subject>'],
  [/("service"": ""|,service:)[\w-]+/g, '$1<service>'],
  [/,test-bench,/g, ',<id>,'],
  [/\b\d{9,}\b/g, '<number>'],
  [/(?=[\w$./+=\\-]*\d)[\w$./+=\\-]{20,}/g, '<random>'],
];

const normalize = (text: string): string =>
  VARYING.reduce((result, [pattern, replacement]) => result.replaceAll(pattern, replacement), text);

const ANSWER_LAST = /SignOut|AccountDelete|EndSession|EndOtherSessions|RefreshToken|ResetPassword/;

/** Reading operations first, and last those that end the session. */
const inOrder = (operations: readonly Operation[]): Operation[] => {
  const rank = ({ method, id }: Operation) => Number(method !== 'GET') + Number(ANSWER_LAST.test(id));
  return operations.toSorted((one, other) => rank(one) - rank(other));
};

const createAnswers = (bench: Bench, operations: readonly Operation[]) => async (person: MadePerson) => {
  const { id, email, password, device, label, network } = person;
  // A network may send 60 sign-ins a minute.
  const { body: another } = await bench.client.addNetwork({ label });
  const networks = [network, String(another.network)];
  const own: Record<string, unknown> = { email, password, currentPassword: password };
  const headers = {
    'X-Fingerprint': device?.fingerprint ?? 'a-device',
    'X-Session-Id': device?.sessionId,
    Authorization: device && `Bearer ${device.accessToken}`,
    'If-Match': '*',
  };
  const answers: string[] = [];
  for (const [index, { name, method, template, body }] of inOrder(operations).entries()) {
    const send = sendFrom(bench, label, networks[index % networks.length]);
    const path = template
      .replace('/users/{id}', `/users/${id}`)
      .replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
    const example = Object.entries((body?.example ?? {}) as object);
    const sent = body && Object.fromEntries(example.map(([key, value]) => [key, own[key] ?? value]));
    const { status, text } = await send({ method, path, headers, body: sent });
    // The back office shows everybody, so what it returns depends on the other tests.
    const shown = name.startsWith('admin/') && status < 400 ? '' : normalize(text);
    answers.push(`${name} ${status} ${shown}`);
  }
  return answers;
};

const toRows = async (bench: Bench, { id, email }: MadePerson) => {
  await waitFor(
    'the mails are sent',
    async () =>
      (
        await queryDatabase(bench.databaseUrl, 'select from mail_outbox where mail::text like $1', [
          `%${email}%`,
        ])
      ).length === 0,
  );
  const links =
    'select $1 as id union select id::text from customer_profiles where user_id::text = $1 union select id::text from employee_profiles where user_id::text = $1';
  const ids = (await queryDatabase<{ id: string }>(bench.databaseUrl, links, [id])).map((row) => row.id);
  const own = (await dumpDatabase(bench.databaseUrl)).filter(
    ({ table, row }) =>
      !table.startsWith('test_bench.') && [...ids, email].some((value) => row.includes(value)),
  );
  const isRecord = ({ table }: { table: string }) => /audit_records/.test(table);
  const isEvent = ({ table }: { table: string }) => /events/.test(table);
  const lines = (rows: typeof own) => rows.map(({ table, row }) => normalize(`${table} ${row}`)).sort();
  return {
    rows: lines(own.filter((row) => !isRecord(row) && !isEvent(row))),
    records: lines(own.filter(isRecord)),
    events: lines(own.filter(isEvent)),
  };
};

const toMails = async ({ client }: Bench, { email }: MadePerson): Promise<string[]> => {
  const { body } = await client.listMails({ query: { to: email } });
  const mails = body.data as { mail: string; from: string; subject: string; text: string }[];
  return mails
    .map(({ mail, from, subject, text }) => normalize([mail, from, subject, text].join('\n')))
    .sort();
};

/** Everything that the platform stores about a person, sends to the person and answers them, without what varies. */
export const createSnapshots = (bench: Bench, operations: readonly Operation[]) => {
  const answersTo = createAnswers(bench, operations);
  return async (person: MadePerson) => ({
    ...(await toRows(bench, person)),
    mails: await toMails(bench, person),
    answers: await answersTo(person),
  });
};
