import { tracingChannel } from 'node:diagnostics_channel';
import { type Attributes, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { BatchCommandTraceContext, CHANNELS, CommandTraceContext } from 'redis';
import { getErrorType, setSpanError } from './span-errors.ts';
import type { MayRecordChild } from './tracer.ts';

// node-redis publishes its commands on this channel, with Sentinels too, and only while something subscribes. It is not
// imported, so that this module does not load the client.
const COMMANDS: typeof CHANNELS.TRACE_COMMAND = 'node-redis:command';

type Command = CommandTraceContext | BatchCommandTraceContext;

/** A script names itself in its first line, or in the one after its flags: `-- reserve-code`. */
const SCRIPT_NAME = /^(?:#!.*\n)?-- ([a-z][a-z0-9-]{0,60})\n/;
const DIGEST = /^[0-9a-f]{40}$/;

/** The first argument of EVAL and EVALSHA is the script; all others may be personal data, and so may keys. */
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

/** Records each Redis command in a trace as a span, without its keys and values. Returns how to stop. */
export const startRedisSpans = (tracer: Tracer, mayRecordChild: MayRecordChild): (() => void) => {
  const subscribers = createSubscribers(tracer, mayRecordChild);
  const channel = tracingChannel(COMMANDS);
  channel.subscribe(subscribers);
  return () => channel.unsubscribe(subscribers);
};
