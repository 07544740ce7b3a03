type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, object> ? Path : never;
}[keyof Paths];
type OperationOf<Paths, Path extends keyof Paths, M extends Method> =
  Paths[Path] extends Record<M, infer Operation> ? Operation : never;

/** `query` and `path` only: the headers are the client's. */
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

type CallOptions<Operation> = ParametersOption<Operation> &
  BodyOption<Operation> & {
    /** Ends the call: it then rejects with the signal's reason. */
    signal?: AbortSignal;
  };

type Arguments<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

export type JsonBody<Operation> = Operation extends { requestBody: Json<infer Body> } ? Body : never;

type Succeeded<Responses> = Responses[keyof Responses & (200 | 201 | 204)];
/** The body of the success; undefined where there is none. */
export type Answer<Operation> = Operation extends { responses: infer Responses }
  ? Succeeded<Responses> extends Json<infer Body>
    ? Body
    : undefined
  : never;

/**
 * One HTTP method on the paths that have it. The options follow from the path alone: inferred from the argument, as
 * openapi-fetch's own methods have them, a misspelt optional field would compile.
 */
export type Call<Paths, M extends Method> = <Path extends PathsWith<Paths, M>>(
  path: Path,
  ...options: Arguments<CallOptions<OperationOf<Paths, Path, M>>>
) => Promise<Answer<OperationOf<Paths, Path, M>>>;
