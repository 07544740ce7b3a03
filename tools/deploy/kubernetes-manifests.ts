import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

export type Resource = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
};

const parseResources = (yaml: string): Resource[] =>
  parseAllDocuments(yaml).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Resource;
  });

export const readManifests = (file: string): Resource[] => parseResources(readFileSync(file, 'utf8'));

/** Whether `kubectl kustomize` can render overlays on this machine. */
export const hasKubectl = (): boolean => spawnSync('kubectl', ['version', '--client']).status === 0;

/** Renders an overlay. Needs no cluster. @throws Error with the output of kubectl */
export const renderOverlay = (folder: string): Resource[] =>
  parseResources(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' }));
