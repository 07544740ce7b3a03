import type { ErrorObject, SchemaValidateFunction } from 'ajv';
import openApiValidator from 'express-openapi-validator';
import ajvFactory from 'express-openapi-validator/dist/framework/ajv/factory.js';
import validatorUtil from 'express-openapi-validator/dist/middlewares/util.js';
import { type ErrorDetail, escapeKey } from '../errors/app-error.ts';
import { findBrokenTextRule, type TextKind, tidyText } from '../http/text-rules.ts';

type BrokenRule = Pick<ErrorObject, 'keyword' | 'message' | 'params'>;

const toValidate = <Declared>(
  check: (declared: Declared, text: string) => BrokenRule | undefined,
): SchemaValidateFunction => {
  const validate: SchemaValidateFunction = (declared: Declared, text: string) => {
    const error = check(declared, text);
    validate.errors = error ? [error] : [];
    return error === undefined;
  };
  return validate;
};

const TEXT_MESSAGES = {
  blank: 'must have a visible character',
  'control-character': 'must NOT have control characters',
};

// These rules cannot be expressed in JSON Schema. They are declared as vendor extensions of a string schema.

/** The limit is in bytes of UTF-8, whereas `maxLength` counts characters. */
const checkBytes = toValidate((limit: number, text) =>
  Buffer.byteLength(text) > limit
    ? { keyword: 'max-bytes', message: `must NOT have more than ${limit} bytes`, params: { limit } }
    : undefined,
);

/** This is not a pattern, because not all languages of clients support \p{…}. */
const checkText = toValidate((kind: TextKind, text) => {
  const rule = findBrokenTextRule(text, kind);
  return rule && { keyword: rule, message: TEXT_MESSAGES[rule], params: {} };
});

/** Changes a text, then checks it. */
const toModify = <Declared>(
  change: (text: string, declared: Declared) => string,
  check: SchemaValidateFunction = () => true,
): SchemaValidateFunction => {
  const validate: SchemaValidateFunction = (declared: Declared, text: string, schema, context) => {
    const changed = change(text, declared);
    if (context) context.parentData[context.parentDataProperty] = changed;
    const isValid = check(declared, changed, schema, context);
    validate.errors = check.errors ?? [];
    return isValid;
  };
  return validate;
};

/** A body may have a code of digits as a number, which has no leading zeros. Converts it to the text of the code. */
const toDigits: SchemaValidateFunction = (length: number, number: number, _schema, context) => {
  if (context) context.parentData[context.parentDataProperty] = String(number).padStart(length, '0');
  return true;
};

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Some clients of WebAuthn send members without a value as null or, if it is the user handle, as an empty text. */
const removeAbsentMembers = (value: object): true => {
  for (const [name, member] of Object.entries(value))
    if (member === null || (name === 'userHandle' && member === '')) Reflect.deleteProperty(value, name);
    else if (typeof member === 'object' && !Array.isArray(member)) removeAbsentMembers(member);
  return true;
};

const toDetail = ({ instancePath, keyword, message = '', params }: ErrorObject) => {
  const { missingProperty, additionalProperty = missingProperty, type } = params;
  const path =
    additionalProperty === undefined ? instancePath : `${instancePath}/${escapeKey(additionalProperty)}`;
  const shown = type === undefined ? params : { type: [type].flat() };
  return { path, message, rule: keyword, ...(Object.keys(shown).length > 0 && { params: shown }) };
};

const isMinimum = ({ keyword }: { keyword: string }): boolean => keyword === 'minLength';

type Schemas = Record<string, unknown>;

/** Finds the schemas that `value` references, directly or indirectly. */
const findReferenced = (value: unknown, schemas: Schemas, found: Schemas = {}): Schemas => {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (name in found) continue;
    found[name] = schemas[name];
    findReferenced(schemas[name], schemas, found);
  }
  return found;
};

type RootSchema = { paths: object; components: { schemas?: Schemas }; properties: object };

/**
 * The validator passes each schema with the whole document, which ajv searches for ids and references. This
 * took 25 ms of processor time at the first request to each operation.
 */
const pickReferenced = ({ paths: _paths, components, ...schema }: RootSchema) => ({
  ...schema,
  components: { schemas: findReferenced(schema.properties, components.schemas ?? {}) },
});

// express-openapi-validator has no option for keywords, and drops the parameters of ajv's errors. It calls
// these three functions as properties of their modules, so they can be replaced here.
const { factoryAjv } = ajvFactory;
const { useAjvCache } = validatorUtil;
Object.assign(ajvFactory, {
  factoryAjv: (...options: Parameters<typeof factoryAjv>) => {
    const ajv = factoryAjv(...options);
    ajv.addKeyword({ keyword: 'x-max-bytes', type: 'string', validate: checkBytes });
    // `minLength` counts what was sent, as every validator of a client does, unless the schema has `x-trim`.
    ajv.RULES.rules
      .find(({ type }) => type === 'string')
      ?.rules.sort((a, b) => Number(isMinimum(b)) - Number(isMinimum(a)));
    for (const [keyword, before, validate] of [
      ['x-lower-case', 'minLength', toModify((text) => text.toLowerCase())],
      ['x-trim', 'minLength', toModify((text) => text.trim().normalize())],
      ['x-ignore-invisible', 'minLength', toModify((text) => text.replace(INVISIBLE, ''))],
      ['x-text', 'maxLength', toModify(tidyText, checkText)],
    ] as const)
      ajv.addKeyword({ keyword, type: 'string', modifying: true, before, validate });
    ajv.addKeyword({ keyword: 'x-digits', type: 'number', modifying: true, validate: toDigits });
    ajv.addKeyword({
      keyword: 'x-webauthn',
      type: 'object',
      modifying: true,
      before: 'required',
      validate: (_declared: true, value: object) => removeAbsentMembers(value),
    });
    return ajv;
  },
});
Object.assign(validatorUtil, {
  useAjvCache: (ajv: never, schema: RootSchema, key: string) => useAjvCache(ajv, pickReferenced(schema), key),
  ajvErrorsToValidatorError: (
    status: number,
    errors: ErrorObject[],
  ): { status: number; errors: ErrorDetail[] } => ({
    status,
    // Clients show the first error of a field, and `blank` says more about an empty text than its minimum does.
    errors: errors.toSorted((a, b) => Number(isMinimum(a)) - Number(isMinimum(b))).map(toDetail),
  }),
});

export { openApiValidator };
