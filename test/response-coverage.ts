import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportProblems } from '@platform/shared/testing/closing-line-reporter';
import {
  createOperationFinder,
  loadOperations,
  type Operation,
} from '@platform/shared/testing/openapi-operations';

/**
 * Returns a name such as `auth/SignIn`. The kinds of accounts have the same operations, and tests check a
 * rule for one kind.
 */
const toName = ({ name }: Operation): string =>
  name.replace(/^auth\/(?:customer|employee|administrator)/, 'auth/');

/** A guard in front of all operations produces these codes, so one test of each is sufficient. */
const GUARD_CODES = ['SECOND_FACTOR_ENROLMENT_REQUIRED', 'UNSUPPORTED_MEDIA_TYPE'];

/**
 * Lists every response that the document describes.
 * @returns texts such as `auth/SignIn 401 INVALID_CREDENTIALS`, or `* ROUTE_NOT_FOUND` for any operation
 */
const listResponses = (operation: Operation): string[] => {
  // Descriptions also name settings.
  const known =
    operation.responses['default']?.content?.['application/json'].schema.properties?.['code']?.enum;
  return Object.entries(operation.responses).flatMap(([status, { description = '' }]) => {
    const words = [...description.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, word = '']) => word);
    const codes = words.filter((word) => known?.includes(word));
    if (status === 'default') return codes.map((code) => `* ${code}`);
    const name = `${toName(operation)} ${status}`;
    return Number(status) < 400
      ? [name]
      : codes.map((code) => (GUARD_CODES.includes(code) ? `* ${code}` : `${name} ${code}`));
  });
};

/** @param records lines of record-responses.ts */
const compareResponses = (
  operations: readonly Operation[],
  records: readonly string[],
): { missing: string[]; undocumented: string[] } => {
  const findOperation = createOperationFinder(operations);
  const produced = records.map((record) => {
    const [method = '', path = '', status, code] = record.split(' ');
    const operation = findOperation({ method, path });
    const response = operation && [toName(operation), status, code].filter(Boolean).join(' ');
    return { response, code, ofAny: `* ${code}` };
  });
  const documented = new Set(operations.flatMap(listResponses));
  const names = new Set(produced.flatMap(({ response, ofAny }) => [response, ofAny]));
  // A success has no code. Tests of the validation also produce those of documents of their own.
  const undocumented = produced.flatMap(({ response, code, ofAny }) =>
    !response || !code || documented.has(response) || documented.has(ofAny) ? [] : [response],
  );
  return {
    missing: [...documented].filter((response) => !names.has(response)),
    undocumented: [...new Set(undocumented)],
  };
};

const readRecords = async (directory: string): Promise<string[]> => {
  const files = await readdir(directory);
  const records = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return records.flatMap((text) => text.split('\n'));
};

/**
 * Mocha calls it once, after the last test. If the command line selects files or tests, they need not produce
 * every response.
 */
export const mochaGlobalTeardown = async (): Promise<void> => {
  if (process.argv.length > 2) return;
  const records = await readRecords(process.env['RESPONSE_RECORDS'] ?? '');
  const { missing, undocumented } = compareResponses(await loadOperations(), records);
  const print = (responses: string[]) => responses.map((response) => `  ${response}`);
  if (missing.length > 0)
    reportProblems([
      'The documents describe these responses, and no test has produced them. For each, write a test (a component test of the',
      'operation suffices), or remove the code from the response in openapi/*.yaml if it cannot occur:',
      ...print(missing),
    ]);
  if (undocumented.length > 0)
    reportProblems([
      'Tests have produced these responses, which openapi/*.yaml does not describe:',
      ...print(undocumented),
    ]);
};
