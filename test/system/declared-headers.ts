import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';

type Reference = { $ref?: string };
type Header = Reference & { required?: boolean };
type Response = Reference & { headers?: Record<string, Header> };
type Operation = { responses: Record<string, Response> };

/** Finds the headers, in lower case, that a document requires of the response to an operation, such as `GET /users/{id}`. */
export const loadRequiredHeaders = async (
  name: string,
): Promise<(operation: string, status: number) => string[]> => {
  const document = await loadOpenApiDocument(new URL(`../../openapi/${name}`, import.meta.url));
  const resolve = <Part extends Reference>(part: Part): Part => {
    if (part.$ref === undefined) return part;
    const [, , section = '', component = ''] = part.$ref.split('/');
    return resolve(document.components[section]?.[component] as Part);
  };
  return (operation, status) => {
    const [method = '', path = ''] = operation.split(' ');
    const item = document.paths[path] as unknown as Record<string, Operation>;
    const { responses } = item[method.toLowerCase()] ?? { responses: {} };
    const response = responses[status] ?? responses['default'];
    if (!response) throw new Error(`${operation} declares no response ${status}`);
    return Object.entries(resolve(response).headers ?? {})
      .filter(([, header]) => resolve(header).required)
      .map(([header]) => header.toLowerCase());
  };
};
