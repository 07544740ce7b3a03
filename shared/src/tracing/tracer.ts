import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { trace } from '@opentelemetry/api';

// The images contain this file as well.
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

export const VERSION: string = version;

/**
 * Differs for each start of a process, as the semantic conventions recommend: a process that has restarted in the same
 * container is another instance.
 */
export const INSTANCE_ID = randomUUID();

export const tracer = trace.getTracer('marketplace-platform', VERSION);
