import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { hasKubectl } from '../deploy/kubernetes-manifests.ts';
import { findBlockErrors, PLATFORMS, type PlatformBlock, readPlatformBlocks } from './platform-blocks.ts';
import { RUNBOOK_PAGES } from './runbook-pages.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const readPage = (page: string) => readFileSync(resolve(ROOT, page), 'utf8');

/** Sections with commands that are the same everywhere, or only for practice. */
const WITHOUT_PLATFORMS = new Set([
  'A practice stack',
  'Stop the practice stack',
  'Check health', // in "On Compose and Kubernetes"
  'Read the audit log', // the API and `sql`
  'A user is locked out or blocked', // the API and `sql`
  'A second factor is lost', // the API and `sql`
]);

const findErrors = (attribute: PlatformBlock['attribute'], text: string, language = 'sh') =>
  findBlockErrors({ line: 1, language, attribute, lines: text.split('\n') });

describe('runbooks for Compose and Kubernetes', () => {
  for (const page of RUNBOOK_PAGES) {
    for (const block of readPlatformBlocks(readPage(page)))
      it(`${page}:${block.line} has valid commands for ${block.attribute}`, () => {
        expect(findBlockErrors(block)).to.deep.equal([]);
      });

    for (const section of readPage(page).split(/^## /m).slice(1)) {
      const [title = ''] = section.split('\n', 1);
      if (section.includes('\n```console') && !WITHOUT_PLATFORMS.has(title))
        it(`${page}, "${title}" has commands for both`, () => {
          const platforms = readPlatformBlocks(section).map(({ attribute }) => attribute);
          expect(platforms).to.include.members([...PLATFORMS]);
        });
    }
  }
});

describe('check of the commands for Compose', () => {
  for (const [problem, text, error] of [
    ['an unknown service', 'docker compose restart auth', 'docker-compose.yml has no service auth'],
    [
      'an unknown service of exec',
      'docker compose exec -T database psql',
      'docker-compose.yml has no service database',
    ],
    ['an unknown flag', 'docker compose up --detatch', 'unknown flag --detatch'],
    ['an unknown command', 'docker compose upp', 'unknown command: docker compose upp'],
    [
      'a missing script',
      'docker compose run --rm migrate shared/src/no.ts',
      'shared/src/no.ts: no such file',
    ],
    [
      'a script of another image',
      'docker compose run --rm migrate auth-service/src/run-role-assign.ts',
      'auth-service/src/run-role-assign.ts is not in the image of migrate',
    ],
    [
      'a command in a substitution',
      'X=$(docker compose exec -T no true)',
      'docker-compose.yml has no service no',
    ],
    ['a missing path', 'cat deploy/no.yaml', 'deploy/no.yaml: no such file'],
    ['the other platform', 'kubectl get pods', 'kubectl in a block for compose'],
  ] as const)
    it(`reports ${problem}`, () => {
      expect(findErrors('compose', text)).to.deep.equal([error]);
    });

  it('reports invalid shell syntax, also in a here-document', () => {
    expect(findErrors('compose', 'if true; do')).to.have.length(1);
    expect(
      findErrors('compose', "docker compose exec -T postgres bash <<'X'\nif true; do\nX"),
    ).to.have.length(1);
  });

  it('reports an invalid override file', () => {
    expect(findErrors('compose', 'services: { postgres: { volume: [] } }', 'yaml')).not.to.deep.equal([]);
    expect(findErrors('compose', 'services: { database: {} }', 'yaml')).to.deep.equal([
      'docker-compose.yml has no service database',
    ]);
  });
});

describe('check of the commands for Kubernetes', () => {
  for (const [problem, text, error] of [
    ['an unknown deployment', 'kubectl rollout restart deployment/auth', 'no manifest of Deployment auth'],
    [
      'an unknown deployment of several',
      'kubectl scale deployment gateway auth --replicas=0',
      'no manifest of Deployment auth',
    ],
    ['an unknown secret', 'kubectl get secret passwords', 'no manifest of Secret passwords'],
    ['an unknown cluster', 'kubectl get clusters.postgresql.cnpg.io pg', 'no manifest of Cluster pg'],
    ['an unknown resource type', 'kubectl get deploymentz', 'unknown resource type deploymentz'],
    ['an unknown namespace', 'kubectl get pods --namespace=market', 'no manifest of Namespace market'],
    [
      'an unknown label',
      "kubectl get pods --selector='app.kubernetes.io/name in (gateway, auth)'",
      'no manifest has the label app.kubernetes.io/name=auth',
    ],
    ['a missing script', 'kubectl exec operator -- node shared/src/no.ts', 'shared/src/no.ts: no such file'],
    [
      'a manifest without kind',
      'kubectl create --filename=- <<X\napiVersion: v1\nX',
      'a manifest needs apiVersion and kind',
    ],
  ] as const)
    it(`reports ${problem}`, () => {
      expect(findErrors('kubernetes', text)).to.deep.equal([error]);
    });

  it('reports flags and commands that the installed kubectl does not have', function () {
    if (!hasKubectl()) this.skip();
    expect(findErrors('kubernetes', 'kubectl get pods --selektor=a')).to.deep.equal([
      'unknown flag --selektor',
    ]);
    expect(findErrors('kubernetes', 'kubectl gett pods')).to.deep.equal(['unknown command: kubectl gett']);
  });
});
