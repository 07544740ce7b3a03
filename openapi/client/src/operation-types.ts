type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, object> ? Path : never;
}[keyof Paths];
type GetOperation<Paths, Path extends keyof Paths, M extends Method> =
  Paths[Path] extends Record<M, infer Operation> ? Operation : never;

/** Without headers, which the client sets. */
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
  /** Aborts the call, which then rejects at once with the signal's reason. */
  signal?: AbortSignal | undefined;
};
type CallOptions<Operation> = ParametersOption<Operation> & BodyOption<Operation> & CallSignal;

type Arguments<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

export type JsonBody<Operation> = Operation extends { requestBody: Json<infer Body> } ? Body : never;

type SuccessResponse<Responses> = Responses[keyof Responses & (200 | 201 | 204)];
/** The body of the success response; undefined without one. */
export type ResponseBody<Operation> = Operation extends { responses: infer Responses }
  ? SuccessResponse<Responses> extends Json<infer Body>
    ? Body
    : undefined
  : never;

/**
 * One HTTP method on the paths that have it. The type of the options depends on the path only: inferred from the
 * argument, it would let a misspelt optional field compile.
 */
export type Call<Paths, M extends Method> = <Path extends PathsWith<Paths, M>>(
  path: Path,
  ...options: Arguments<CallOptions<GetOperation<Paths, Path, M>>>
) => Promise<ResponseBody<GetOperation<Paths, Path, M>>>;

/** The calls of a client to the paths of another service behind the gateway, of which `Paths` are generated from its document. */
export type CallsOf<Paths> = {
  GET: Call<Paths, 'get'>;
  POST: Call<Paths, 'post'>;
  PATCH: Call<Paths, 'patch'>;
  DELETE: Call<Paths, 'delete'>;
};
