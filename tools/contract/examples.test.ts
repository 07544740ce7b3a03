import {
  loadPublishedOperations,
  type Operation,
  validateBody,
  validateValue,
} from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';

type Media = { example?: unknown; examples?: Record<string, { value: unknown }> };

const listExamples = ({ example, examples = {} }: Media): unknown[] =>
  [example, ...Object.values(examples).map(({ value }) => value)].filter((value) => value !== undefined);

const listErrors = ({ name, parameters, body, responses }: Operation): string[] => {
  const ofParameters = parameters.flatMap((parameter) =>
    listExamples(parameter).map((example) => validateValue(parameter.schema, example)),
  );
  const ofBody = body?.example === undefined ? [] : [validateValue(body.schema, body.example)];
  const ofResponses = Object.entries(responses).flatMap(([status, { content }]) =>
    listExamples(content?.['application/json'] ?? {}).map((example) =>
      validateBody({ responses } as Operation, Number(status), example),
    ),
  );
  return [...ofParameters, ...ofBody, ...ofResponses].flatMap((error) =>
    error ? [`${name}: ${error}`] : [],
  );
};

const isMissing = (media: Media): boolean => listExamples(media).length === 0;

const listMissing = ({ name, body, responses }: Operation): string[] => [
  ...(body && isMissing(body) ? [`${name}: request`] : []),
  ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content)
      .filter(isMissing)
      .map(() => `${name}: ${status}`),
  ),
];

describe('examples of the documents', () => {
  // Mocks and the documentation pages show them.
  it('exist for every request and response', async () => {
    const operations = await loadPublishedOperations();
    expect(operations.flatMap(listMissing)).to.deep.equal([]);
  });

  // The lint judges examples by closed schemas. Clients get the published ones, which are open.
  it('are valid for the published schemas', async () => {
    const operations = await loadPublishedOperations();
    expect(operations).not.to.be.empty;
    expect(operations.flatMap(listErrors)).to.deep.equal([]);
  });
});
