/** The words of this release, without those that a later one may add. */
export type Known<Word extends string> = Word extends unknown ? (string extends Word ? never : Word) : never;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, object> ? Path : never;
}[keyof Paths];
type GetOperation<Paths, Path extends keyof Paths, M extends Method> =
  Paths[Path] extends Record<M, infer Operation> ? Operation : never;

/** Excludes headers, which the client sets. */
type Parameters<Operation> = Operation extends { parameters: infer All }
  ? Pick<All, keyof All & ('query' | 'path')>
  : never;
type ParametersOption<Operation> =
  Record<never, never> extends Parameters<Operation>
    ? { params?: Parameters<Operation> }
    : { params: Parameters<Operation> };

type Json<Body> = { content: { 'application/json': Body } };
type BodyOption<Operation> = Operation extends { requestBody: Json<infer Body> }
  ? { body: Body }
  : Operation extends { requestBody?: infer Optional }
    ? { body?: Optional extends Json<infer Body> ? Body : never }
    : never;

export type CallSignal = {
  /** Aborts the call, which then rejects immediately with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** The headers that the client does not set are options. */
type HeadersOf<Operation> = Operation extends { parameters: { header?: infer Headers } }
  ? NonNullable<Headers>
  : never;
type VersionOption<Operation> = [HeadersOf<Operation>] extends [never]
  ? unknown
  : 'If-Match' extends keyof HeadersOf<Operation>
    ? {
        /** The version that the change is based on, of `entityTagOf`; another one is CHANGED_MEANWHILE. */
        ifMatch?: string | undefined;
      }
    : unknown;

type CallOptions<Operation> = ParametersOption<Operation> &
  BodyOption<Operation> &
  VersionOption<Operation> &
  CallSignal;

type Arguments<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

export type JsonBody<Operation> = Operation extends { requestBody: Json<infer Body> } ? Body : never;

type SuccessResponse<Responses> = Responses[keyof Responses & (200 | 201 | 204)];
/** The body of the success response, or undefined if there is none. */
export type ResponseBody<Operation> = Operation extends { responses: infer Responses }
  ? SuccessResponse<Responses> extends Json<infer Body>
    ? Body
    : undefined
  : never;

/**
 * One HTTP method for the paths that support it. The type of the options depends on the path only: if it were
 * inferred from the argument, a misspelt optional field would compile.
 */
export type Call<Paths, M extends Method> = <Path extends PathsWith<Paths, M>>(
  path: Path,
  ...options: Arguments<CallOptions<GetOperation<Paths, Path, M>>>
) => Promise<ResponseBody<GetOperation<Paths, Path, M>>>;

/** The calls to another service behind the gateway, with `Paths` generated from its document. */
export type CallsOf<Paths> = {
  GET: Call<Paths, 'get'>;
  POST: Call<Paths, 'post'>;
  PATCH: Call<Paths, 'patch'>;
  DELETE: Call<Paths, 'delete'>;
};
