import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Value = {
  stringValue?: string;
  intValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
};
type KeyValue = { key: string; value: Value };
type SpanIds = { traceId: string; spanId: string };
type OtlpEvent = { name: string; attributes: KeyValue[] };
type Otlp = {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      schemaUrl?: string;
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        attributes: KeyValue[];
        events: OtlpEvent[];
        links: SpanIds[];
        status: { code?: number };
      }[];
    }[];
  }[];
};

type Attributes = Record<string, unknown>;
export type CollectedSpan = {
  service: string;
  resource: Attributes;
  schemaUrl: string | undefined;
  traceId: string;
  spanId: string;
  /** Empty for a root span. */
  parentSpanId: string;
  name: string;
  kind: string;
  /** Whether the status is ERROR. */
  isError: boolean;
  attributes: Attributes;
  events: { name: string; attributes: Attributes }[];
  links: SpanIds[];
};

/** The index of each kind is its number in the protocol. */
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

const ERROR_STATUS = 2;

const toValue = ({ stringValue, intValue, boolValue, arrayValue }: Value): unknown =>
  stringValue ?? intValue ?? boolValue ?? arrayValue?.values.map(toValue);

const toAttributes = (pairs: KeyValue[]): Attributes =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, toValue(value)]));

const readSpans = ({ resourceSpans }: Otlp): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const attributes = toAttributes(resource.attributes);
    return scopeSpans
      .flatMap(({ schemaUrl, spans }) => spans.map((span) => ({ ...span, schemaUrl })))
      .map(({ parentSpanId = '', kind, status, ...span }) => ({
        ...span,
        service: String(attributes['service.name']),
        resource: attributes,
        parentSpanId,
        kind: KINDS[kind] ?? String(kind),
        isError: status.code === ERROR_STATUS,
        attributes: toAttributes(span.attributes),
        events: span.events.map(({ name, attributes: pairs }) => ({ name, attributes: toAttributes(pairs) })),
        links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
      }));
  });

/** Starts an OpenTelemetry collector that receives spans over OTLP/HTTP with JSON. */
export const startCollector = async () => {
  const collected: CollectedSpan[] = [];
  const server = createServer(async (req, res) => {
    if (req.method !== 'POST' || req.url !== '/v1/traces') return res.writeHead(404).end();
    collected.push(...readSpans((await json(req)) as Otlp));
    return res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the spans of one trace or of all traces. */
    getSpans: (traceId?: string) =>
      traceId === undefined ? [...collected] : collected.filter((span) => span.traceId === traceId),
    stop: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
