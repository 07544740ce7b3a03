import { tracingChannel } from 'node:diagnostics_channel';
import { type Attributes, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { BatchCommandTraceContext, CHANNELS, CommandTraceContext } from 'redis';
import { getErrorType, setSpanError } from './span-errors.ts';
import type { MayRecordChild } from './tracer.ts';

// node-redis publishes its commands on this channel, also with Sentinels, and only while there is a
// subscriber. The name is not imported, so that this module does not load the client.
const COMMANDS: typeof CHANNELS.TRACE_COMMAND = 'node-redis:command';

type Command = CommandTraceContext | BatchCommandTraceContext;

/** A script names itself in its first line, or in the line after its flags: `-- reserve-code`. */
const SCRIPT_NAME = /^(?:#!.*\n)?-- ([a-z][a-z0-9-]{0,60})\n/;
const DIGEST = /^[0-9a-f]{40}$/;

/**
 * Only the script, which is the first argument of EVAL and EVALSHA, may be recorded. All other arguments and
 * the keys may be personal data.
 */
const findScriptName = ({ command, args: [, script = ''] }: Command): string | undefined => {
  if (command === 'EVAL') return SCRIPT_NAME.exec(script)?.[1];
  return command === 'EVALSHA' ? DIGEST.exec(script)?.[0] : undefined;
};

const toAttributes = (
  { command, database, serverAddress, serverPort }: Command,
  script: string | undefined,
): Attributes => ({
  'db.system.name': 'redis',
  'db.namespace': String(database),
  'db.operation.name': command,
  'server.address': serverAddress,
  ...(serverPort !== undefined && { 'server.port': serverPort }),
  ...(script !== undefined && { 'db.stored_procedure.name': script }),
});

/** The first word of an error reply, such as READONLY, OOM, NOSCRIPT or ERR. */
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
      // Background commands of BullMQ, pings and readiness checks do not belong to a trace.
      if (!mayRecordChild(trace.getSpanContext(context.active()))) return;
      const command = message as Command;
      const script = findScriptName(command);
      const name = script === undefined ? command.command : `${command.command} ${script}`;
      const attributes = toAttributes(command, script);
      spans.set(command, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
    },
    error: (message: { error: unknown }) => end(message, { cause: message.error }),
    asyncEnd: (message: object) => end(message),
    end: ignore,
    asyncStart: ignore,
  };
};

/**
 * Records each Redis command in a trace as a span, without its keys and values. Returns a function that stops
 * it.
 */
export const startRedisSpans = (tracer: Tracer, mayRecordChild: MayRecordChild): (() => void) => {
  const subscribers = createSubscribers(tracer, mayRecordChild);
  const channel = tracingChannel(COMMANDS);
  channel.subscribe(subscribers);
  return () => channel.unsubscribe(subscribers);
};
