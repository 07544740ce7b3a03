import type { Kind } from '@platform/client';
import { getSettings } from '../page/settings.ts';
import { useLanguage } from './language.ts';

const ADMINISTRATOR = { en: 'Administrator', de: 'Verwaltung' };

/** The name of this kind of account; those of customers and employees are settings. */
export const useKindName = (kind: Kind): string => {
  const names = { ...getSettings().kindNames, administrator: ADMINISTRATOR };
  return names[kind][useLanguage()];
};
