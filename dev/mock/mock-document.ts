import { loadOpenApiDocument, type OpenApiDocument } from '@platform/shared/http/openapi-document';
import { type MediaType, resolveReference, type Schema } from '@platform/shared/http/schema-example';

export type DocumentedResponse = { description: string; content?: { 'application/json'?: MediaType } };
export type MockOperation = {
  operationId: string;
  responses: Record<string, DocumentedResponse>;
};

export const loadMockDocument = (name: 'auth' | 'admin'): Promise<OpenApiDocument> =>
  loadOpenApiDocument(new URL(import.meta.resolve(`@platform/openapi/${name}.yaml`)));

/** All operations; their responses are resolved. */
export const listMockOperations = (document: OpenApiDocument): MockOperation[] =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter((node): node is typeof node & MockOperation => 'operationId' in node && 'responses' in node)
    .map(({ operationId, responses }) => ({
      operationId,
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, resolveReference(document, response)]),
      ),
    }));

export const getMedia = (response: DocumentedResponse | undefined): MediaType | undefined =>
  response?.content?.['application/json'];

/** The schemas that a body may have, one for each kind of user if they differ. */
export const listAlternatives = (document: OpenApiDocument, media: MediaType): Schema[] => {
  const schema = media.schema && resolveReference<Schema>(document, media.schema as Schema);
  return schema?.oneOf ?? (schema ? [schema] : []);
};
