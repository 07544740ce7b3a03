import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The versions that this repository says of itself. tools/prepare-release.ts writes them, and
// release-numbers.test.ts compares them with package.json and releases.json.

type Place = { files: string[]; pattern: RegExp };
/** The version of the checkout, and that of the release before it. */
type Versions = { version: string; previous: string };

const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'openapi/client/README.md'];

const PLACES: Record<keyof Versions, Place[]> = {
  version: [
    { files: ['docker-compose.yml'], pattern: /VERSION:-(\d+\.\d+\.\d+)/g },
    { files: ['.env.example'], pattern: /^#VERSION=(\d+\.\d+\.\d+)/gm },
    { files: ['deploy/kubernetes/overlays/*/kustomization.yaml'], pattern: /newTag: (\d+\.\d+\.\d+)/g },
    { files: ['examples/*/package.json'], pattern: /"@platform\/[\w-]+": "(\d+\.\d+\.\d+)"/g },
    { files: PAGES, pattern: /platform-[a-z-]+-(\d+\.\d+\.\d+)\.tgz/g },
    { files: ['docs/deployment.md'], pattern: /RELEASE=(\d+\.\d+\.\d+)/g },
    // The example of releases.json, tags, the images and their labels, and the step itself.
    {
      files: ['docs/releasing.md'],
      pattern: /(?:"version": "| v|gateway:|<image>:|version=|Release |prepare -- )(\d+\.\d+\.\d+)/g,
    },
  ],
  previous: [
    { files: ['docs/releasing.md'], pattern: /(?:RELEASE=|--contract |newer than )(\d+\.\d+\.\d+)/g },
  ],
};

type Found = { file: string; place: string; found: string; expected: string };

const findFiles = (root: string, patterns: string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted();

/** @returns every number with the text around it, and the number that it should be */
export const listNumbers = (root: string, versions: Versions): Found[] =>
  (['version', 'previous'] as const).flatMap((name) =>
    PLACES[name].flatMap(({ files, pattern }) =>
      findFiles(root, files).flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([place, found = '']) => ({
          file,
          place,
          found,
          expected: versions[name],
        })),
      ),
    ),
  );

/** @returns the changed files with their new texts */
export const rewriteNumbers = (root: string, versions: Versions): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const name of ['version', 'previous'] as const)
    for (const { files, pattern } of PLACES[name])
      for (const file of findFiles(root, files)) {
        const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
        const rewritten = text.replaceAll(pattern, (place, found: string) =>
          place.replace(found, versions[name]),
        );
        if (rewritten !== text) texts.set(file, rewritten);
      }
  return texts;
};
