import type { OpenApiDocument } from '../openapi-document.ts';

/** A code or rule of openapi/codes.yaml, and the cells of its row. */
type Meaning = [name: string, ...cells: (string | number)[]];

/** On a phone, the label replaces the heading of the column. */
const renderCell = (cell: string | number, label = ''): string =>
  `<td data-label="${label}">${String(cell).replace(/`(.+?)`/g, '<code>$1</code>')}</td>`;

const renderTable = (caption: string, headings: string[], meanings: Meaning[]): string => `
  <table>
    <caption>${caption}</caption>
    <thead><tr>${headings.map((heading) => `<th scope="col">${heading}</th>`).join('')}</tr></thead>
    <tbody>${meanings
      .map(
        ([name, ...cells]) =>
          `<tr id="${name}"><th scope="row"><code>${name}</code></th>${cells
            .map((cell, index) => renderCell(cell, headings[index + 1]))
            .join('')}</tr>`,
      )
      .join('\n')}</tbody>
  </table>`;

/** Renders the page of every error code and validation rule. The meanings come from openapi/codes.yaml. */
export const renderErrorsPage = ({ components: { schemas } }: OpenApiDocument): string => {
  const getMeanings = (schema: string) =>
    (schemas?.[schema] as { 'x-meanings'?: Meaning[] } | undefined)?.['x-meanings'] ?? [];
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Errors</title>
  <link rel="stylesheet" href="./errors-page.css">
</head>
<body>
<main>
  <h1>Errors</h1>
  <p>Every error has the same body: <code>statusCode</code>, <code>error</code>, <code>code</code>, <code>message</code> and
    <code>requestId</code>. With <code>VALIDATION_FAILED</code>, <code>details</code> names each invalid field by its <code>path</code>, and the
    <code>rule</code> that it breaks, with <code>params</code>.</p>
  ${renderTable('Codes', ['Code', 'Status', 'Meaning', 'What to do'], getMeanings('ErrorCode'))}
  <div id="rules">${renderTable('Rules', ['Rule', 'Meaning', 'Parameters'], getMeanings('ErrorRule'))}</div>
</main>
</body>
</html>
`;
};
