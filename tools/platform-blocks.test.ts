import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { findBlockErrors, readPlatformBlocks } from './platform-blocks.ts';

const DOCS = resolve(import.meta.dirname, '../docs');

describe('commands for Compose and Kubernetes', () => {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  for (const page of pages)
    for (const block of readPlatformBlocks(readFileSync(join(DOCS, page), 'utf8')))
      it(`name existing services and files in docs/${page}:${block.line} (${block.attribute})`, () => {
        expect(findBlockErrors(block)).to.deep.equal([]);
      });
});
