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
      it(`are valid in docs/${page}:${block.line} (${block.attribute})`, () => {
        expect(findBlockErrors(block)).to.deep.equal([]);
      });

  for (const [problem, attribute, text, error] of [
    ['an unknown service', 'compose', 'docker compose restart auth', 'has no service auth'],
    [
      'an unknown service of exec',
      'compose',
      'docker compose exec -T database psql',
      'has no service database',
    ],
    [
      'a missing script',
      'compose',
      'docker compose run migrate migrate/no.ts',
      'migrate/no.ts: no such file',
    ],
    [
      'a script of another image',
      'compose',
      'docker compose run --rm migrate auth-service/src/run-role-assign.ts',
      'auth-service/src/run-role-assign.ts is not in the image of migrate',
    ],
    [
      'an unknown deployment',
      'kubernetes',
      'kubectl rollout restart deployment/auth',
      'no manifest has the name auth',
    ],
    [
      'one of several',
      'kubernetes',
      'kubectl scale deployment gateway auth --replicas=0',
      'no manifest has the name auth',
    ],
    ['an unknown secret', 'kubernetes', 'kubectl get secret passwords', 'no manifest has the name passwords'],
  ] as const)
    it(`are rejected with ${problem}`, () => {
      const errors = findBlockErrors({ line: 1, language: 'sh', attribute, lines: [text] });
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include(error);
    });

  it('are rejected with invalid shell syntax, and with an override of an unknown service', () => {
    const compose = { line: 1, attribute: 'compose' };
    expect(findBlockErrors({ ...compose, language: 'sh', lines: ['if true; do'] })).to.have.length(1);
    expect(
      findBlockErrors({ ...compose, language: 'yaml', lines: ['services: { database: {} }'] }),
    ).to.deep.equal(['docker-compose.yml has no service database']);
  });
});
