import { loadOperations, type Schema } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';

/** Texts that people do not type, and texts that are only compared with stored ones. */
const NO_FREE_TEXTS = [
  'password',
  'currentPassword',
  'newPassword',
  'challenge',
  'callbackUrl',
  'logout_token',
  'recoveryCode',
  'transports',
];

const MULTI_LINE = ['text', 'message', 'description'];

type Text = { field: string; schema: Schema };

const listTexts = (field: string, schema: Schema): Text[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => listTexts(name, inner)),
  ...(schema.items ? listTexts(field, schema.items) : []),
  ...(schema.type === 'string' ? [{ field, schema }] : []),
];

/** Enumerations, formats and anchored patterns already exclude a blank text. */
const isFreeText = ({ field, schema }: Text): boolean =>
  !NO_FREE_TEXTS.includes(field) &&
  [schema.enum, schema.const, schema.format].every((restriction) => restriction === undefined) &&
  !schema.pattern?.startsWith('^');

describe('free texts of request bodies', () => {
  let texts: (Text & { operation: string })[];
  before(async () => {
    texts = (await loadOperations()).flatMap(({ name, body }) =>
      body
        ? listTexts('', body.schema)
            .filter(isFreeText)
            .map((text) => ({ operation: name, ...text }))
        : [],
    );
  });

  it('say whether they have one line or several, and thereby which characters they accept', () => {
    expect(texts).not.to.be.empty;
    for (const { operation, field, schema } of texts)
      expect(schema['x-text'], `${operation} ${field}`).to.equal(
        MULTI_LINE.includes(field) ? 'multi-line' : 'one-line',
      );
  });
});
