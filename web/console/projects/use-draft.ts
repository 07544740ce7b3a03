import type { Project } from '@platform/client';
import { useState } from 'react';
import { readDraft, saveDraft } from '../../session/drafts.ts';
import { EDITABLE, findChanges, type Texts } from './project.ts';

export type Base = { project: Texts & Pick<Project, 'id' | 'updatedAt'>; version: string | undefined };
type Draft = { base: Base; texts: Texts; at: number };

export const toTexts = ({ title, description, category }: Texts): Texts => ({ title, description, category });

const toBase = ({ id, updatedAt }: Base['project'], version: Base['version'], texts: Texts): Base => ({
  project: { ...toTexts(texts), id, updatedAt },
  version,
});

const parseDraft = (text: string): Draft | undefined => {
  try {
    const draft = JSON.parse(text) as Omit<Draft, 'at'> & Partial<Draft>;
    return { ...draft, at: draft.at ?? Date.now() };
  } catch {
    return undefined;
  }
};

/** If both have changed a field, the draft keeps the version that it was begun on, so that a reload asks again. */
const toBegun = (begun: Base, theirs: Base, merged: Texts): Base => {
  const mine = findChanges(merged, theirs.project);
  const texts = Object.fromEntries(
    EDITABLE.map((field) => [field, (mine.includes(field) ? begun : theirs).project[field]]),
  ) as Texts;
  const { project, version } = findChanges(texts, theirs.project).length > 0 ? begun : theirs;
  return toBase(project, version, texts);
};

/**
 * The texts are kept in the tab until they are sent, so that a reload loses none. They stay with the version that
 * they are based on: a newer one that is loaded meanwhile is merged when they are sent.
 */
export const useDraft = (loaded: Base) => {
  const name = `project.${loaded.project.id}`;
  const start = () => {
    const base = toBase(loaded.project, loaded.version, loaded.project);
    return { base, begun: base, texts: toTexts(loaded.project) };
  };
  const [kept, setKept] = useState(() => parseDraft(readDraft(name)));
  const [{ base, begun, texts }, setDraft] = useState(() => (kept ? { ...kept, begun: kept.base } : start()));
  const forget = () => saveDraft(name, '');
  const discard = () => {
    forget();
    setKept(undefined);
    setDraft(start());
  };
  const set = (next: Texts, theirs?: Base) => {
    const draft: Draft = { base: theirs ? toBegun(begun, theirs, next) : begun, texts: next, at: Date.now() };
    const seen = theirs ?? base;
    setDraft({ base: seen, begun: draft.base, texts: next });
    if (findChanges(seen.project, next).length > 0) saveDraft(name, JSON.stringify(draft));
    else forget();
  };
  return { base, texts, set, forget, keptAt: kept?.at, discard };
};
