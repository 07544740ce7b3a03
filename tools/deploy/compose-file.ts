import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

export type ComposeService = {
  image?: string;
  command?: unknown;
  environment?: Record<string, string | null>;
  ports?: string[];
  healthcheck?: { test: string[] };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  restart?: string;
  stop_grace_period?: string;
  secrets?: string[];
  volumes?: string[];
  deploy?: { replicas?: string };
};

type ComposeFile = {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
};

const FILE = resolve(import.meta.dirname, '../../docker-compose.yml');

/** The document with anchors and merge keys resolved, as Compose reads it. */
export const readComposeFile = (): ComposeFile =>
  parse(readFileSync(FILE, 'utf8'), { merge: true }) as ComposeFile;

/** Converts a duration such as `30s` to seconds. */
export const parseSeconds = (duration: string | undefined): number =>
  Number(/^(\d+)s$/.exec(duration ?? '')?.[1]);

/** Validates a document against the JSON schema of the Compose specification, which dclint contains. */
export const findComposeErrors = (document: unknown): string[] => {
  const main = createRequire(import.meta.url).resolve('dclint');
  const folder = dirname(main).replace(/(node_modules\/dclint)\/.*$/, '$1');
  const { $schema, ...schema } = JSON.parse(
    readFileSync(resolve(folder, 'schemas/compose.schema.json'), 'utf8'),
  );
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};
