import type { CookieOptions } from 'express';
import type { Language } from '../http/language.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { LoggedCaller } from '../http/request-state.ts';

/** A cookie to set, or to clear if it has no value. */
export type CookieChange = { name: string; value?: string; options: CookieOptions };

type Defined<T> = Exclude<T, undefined>;
type Parameters<Op> = Op extends { parameters: infer P } ? P : never;
type Part<P, Name extends string> = P extends { [N in Name]?: infer Value }
  ? Defined<Value>
  : Record<never, never>;
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type FormOf<T> = T extends { content: { 'application/x-www-form-urlencoded': infer Body } }
  ? Body
  : JsonOf<T>;
type BodyOf<Op> = Op extends { requestBody?: infer B } ? FormOf<Defined<B>> : undefined;

/** A validated request. `Caller` is the result of the operation's security handler. */
type OperationRequest<Op, Caller, Kind> = {
  /** The account kind; `never` for an operation without one. */
  kind: Kind;
  path: Part<Parameters<Op>, 'path'>;
  query: Part<Parameters<Op>, 'query'>;
  headers: Part<Parameters<Op>, 'header'>;
  body: BodyOf<Op>;
  caller: Caller;
  context: RequestContext;
  /** Aborted when the client disconnects before the response. */
  signal: AbortSignal;
  /** The client's description of itself, which proves nothing. */
  userAgent: string | undefined;
  /** The language chosen by `Accept-Language`. */
  language: Language;
  /** The time zone that `X-Time-Zone` names; null if there is none, or an unknown one. */
  timeZone: string | null;
};

/** A body to send. `res.json()` writes a date in ISO 8601. */
type Sent<T> = T extends string
  ? string extends T
    ? T | Date
    : T
  : T extends (infer Item)[]
    ? Sent<Item>[]
    : T extends object
      ? { [Name in keyof T]: Sent<T[Name]> }
      : T;

type Responses<Op> = Op extends { responses: infer R } ? R : never;
type SuccessStatus<R> = Extract<keyof R, 200 | 201 | 202 | 204>;
/**
 * If an operation has several kinds, each field may have the type of any of them, because the compiler does
 * not relate the fields to the kind.
 */
type AnyKindOf<Body, Kind> = [Kind] extends [never] ? Body : Pick<Body, keyof Body>;

/** One of the documented successes of the operation. Errors are thrown. */
type OperationResponse<Op, Kind> = {
  [Status in SuccessStatus<Responses<Op>>]: {
    status: Status;
    headers?: Record<string, string>;
    cookies?: CookieChange[];
    /**
     * The caller for the access log, if the handler of the operation identifies the caller and no security
     * scheme does.
     */
    caller?: LoggedCaller;
  } & (JsonOf<Responses<Op>[Status]> extends undefined
    ? { body?: never }
    : { body: Sent<AnyKindOf<JsonOf<Responses<Op>[Status]>, Kind>> });
}[SuccessStatus<Responses<Op>>];

type OperationHandler<Op, Caller, Kind> = (
  request: OperationRequest<Op, Caller, Kind>,
) => Promise<OperationResponse<Op, Kind>> | OperationResponse<Op, Kind>;

/** An operation by its name in the contract. The operations of several account kinds are a union. */
type NamedOperation = { operation: unknown; security: string; kind: string };

/** A handler for each operation of a document. `Callers` maps each security scheme to its caller. */
export type OperationHandlers<Operations extends Record<keyof Operations, NamedOperation>, Callers> = {
  [Name in keyof Operations]: OperationHandler<
    Operations[Name]['operation'],
    [Operations[Name]['security']] extends [never]
      ? undefined
      : Callers[Operations[Name]['security'] & keyof Callers],
    Operations[Name]['kind']
  >;
};
