import { tracingChannel } from 'node:diagnostics_channel';
import { type Attributes, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { BatchCommandTraceContext, BatchOperationContext, CHANNELS, CommandTraceContext } from 'redis';
import type { MayRecordChild } from './sampling.ts';
import { getErrorType, setSpanError } from './span-errors.ts';

// node-redis publishes its commands on these channels, of single servers, Sentinel and Cluster alike, and only while
// something subscribes. They are not imported, so that this module does not load the client.
const COMMANDS: typeof CHANNELS.TRACE_COMMAND = 'node-redis:command';
const BATCHES: typeof CHANNELS.TRACE_BATCH = 'node-redis:batch';

type Command = CommandTraceContext | BatchCommandTraceContext;
type Operation = { name: string; script?: string | undefined; batchSize?: number };

/** A script names itself in its first line, or in the one after its flags: `-- reserve-code`. */
const SCRIPT_NAME = /^(?:#!.*\n)?-- ([a-z][a-z0-9-]{0,60})\n/;
const DIGEST = /^[0-9a-f]{40}$/;

/** The first argument of EVAL and EVALSHA is the script; all others may be personal data, and so may keys. */
const findScriptName = ({ command, args: [, script = ''] }: Command): string | undefined => {
  if (command === 'EVAL') return SCRIPT_NAME.exec(script)?.[1];
  return command === 'EVALSHA' ? DIGEST.exec(script)?.[0] : undefined;
};

/** Undefined for a command of a pipeline, which is recorded as a whole. */
const toOperation = (operation: Command | BatchOperationContext): Operation | undefined => {
  if ('command' in operation)
    return 'batchMode' in operation
      ? undefined
      : { name: operation.command, script: findScriptName(operation) };
  return { name: operation.batchMode, batchSize: operation.batchSize };
};

const toAttributes = (
  { database, serverAddress, serverPort }: Command | BatchOperationContext,
  { name, script, batchSize }: Operation,
): Attributes => ({
  'db.system.name': 'redis',
  'db.namespace': String(database),
  'db.operation.name': name,
  'server.address': serverAddress,
  ...(serverPort !== undefined && { 'server.port': serverPort }),
  ...(script !== undefined && { 'db.stored_procedure.name': script }),
  // Of a batch of one, the conventions omit the size.
  ...(batchSize !== undefined && batchSize > 1 && { 'db.operation.batch.size': batchSize }),
});

/** READONLY, OOM, NOSCRIPT, ERR: the first word of an error reply. */
const REPLY_CODE = /^[A-Z][A-Z0-9]{1,30}(?= |$)/;
const REPLY_CLASSES = ['ErrorReply', 'SimpleError', 'BlobError'];

const setRedisError = (span: Span, error: unknown): void => {
  const isReply = error instanceof Error && REPLY_CLASSES.includes(error.constructor.name);
  const code = isReply ? REPLY_CODE.exec(error.message)?.[0] : undefined;
  if (code === undefined) setSpanError(span, getErrorType(error));
  else setSpanError(span, code, { 'db.response.status_code': code });
};

const createSubscribers = (tracer: Tracer, mayRecordChild: MayRecordChild) => {
  const spans = new WeakMap<object, Span>();
  const end = (operation: object, error?: { cause: unknown }): void => {
    const span = spans.get(operation);
    if (!span) return;
    spans.delete(operation);
    if (error) setRedisError(span, error.cause);
    span.end();
  };
  const ignore = () => undefined;
  return {
    start: (message: object) => {
      // The background commands of BullMQ, pings and readiness checks belong to no trace.
      if (!mayRecordChild(trace.getSpanContext(context.active()))) return;
      const published = message as Command | BatchOperationContext;
      const operation = toOperation(published);
      if (!operation) return;
      const name = operation.script === undefined ? operation.name : `${operation.name} ${operation.script}`;
      const attributes = toAttributes(published, operation);
      spans.set(published, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
    },
    error: (message: { error: unknown }) => end(message, { cause: message.error }),
    asyncEnd: (message: object) => end(message),
    end: ignore,
    asyncStart: ignore,
  };
};

/** Records each Redis command or batch in a trace as a span, without its keys and values. Returns how to stop. */
export const startRedisSpans = (tracer: Tracer, mayRecordChild: MayRecordChild): (() => void) => {
  const subscribers = createSubscribers(tracer, mayRecordChild);
  const channels = [tracingChannel(COMMANDS), tracingChannel(BATCHES)];
  for (const channel of channels) channel.subscribe(subscribers);
  return () => {
    for (const channel of channels) channel.unsubscribe(subscribers);
  };
};
