import type { Kind } from '@platform/client';
import { getSettings } from '../page/settings.ts';
import { useLanguage } from './language.ts';

const ADMINISTRATOR = { en: 'Administrator', de: 'Verwaltung' };

/** What an account of this kind is called: for customers and employees, the settings say it. */
export const useKindName = (kind: Kind): string => {
  const names = { ...getSettings().kindNames, administrator: ADMINISTRATOR };
  return names[kind][useLanguage()];
};
