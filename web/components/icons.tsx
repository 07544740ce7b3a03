import { icon, RING } from './form-icons.tsx';

export const UsersIcon = /* @__PURE__ */ icon(
  'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M5 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0M22 21v-2a4 4 0 0 0-3-3.87M16 3.13a4 4 0 0 1 0 7.75',
);
export const FolderIcon = /* @__PURE__ */ icon(
  'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z',
);
export const LogIcon = /* @__PURE__ */ icon(
  'M15 12h-5M15 8h-5M19 17V5a2 2 0 0 0-2-2H4M8 21h12a2 2 0 0 0 2-2v-1a1 1 0 0 0-1-1H11a1 1 0 0 0-1 1v1a2 2 0 1 1-4 0V5a2 2 0 1 0-4 0v2a1 1 0 0 0 1 1h3',
);
export const InvitationIcon = /* @__PURE__ */ icon(
  'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M5 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0M19 8v6M22 11h-6',
);
export const SendIcon = /* @__PURE__ */ icon('M22 2 11 13M22 2l-7 20-4-9-9-4Z');
export const KeyboardIcon = /* @__PURE__ */ icon(
  'M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2zM6 8h.01M10 8h.01M14 8h.01M18 8h.01M8 12h.01M12 12h.01M16 12h.01M7 16h10',
);
export const MenuIcon = /* @__PURE__ */ icon('M4 6h16M4 12h16M4 18h16');
export const CloseIcon = /* @__PURE__ */ icon('M18 6 6 18M6 6l12 12');
export const PencilIcon = /* @__PURE__ */ icon('M17 3a2.85 2.83 0 1 1 4 4L7.5 20.5 2 22l1.5-5.5ZM15 5l4 4');
export const SearchIcon = /* @__PURE__ */ icon('M21 21l-4.34-4.34M3 11a8 8 0 1 0 16 0 8 8 0 1 0-16 0');
export const OverviewIcon = /* @__PURE__ */ icon(
  'M4 3h5a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM15 3h5a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1zM15 12h5a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM4 16h5a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1z',
);
export const RequestIcon = /* @__PURE__ */ icon(
  'M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z',
);
export const VerifiedIcon = /* @__PURE__ */ icon(
  'M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76ZM16 9l-5.5 5.5L8 12',
);
export const ColleaguesIcon = /* @__PURE__ */ icon(
  'M13 19a4 4 0 0 0-8 0M16 10h2M16 14h2M6 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2z',
);
export const PersonCircleIcon = /* @__PURE__ */ icon(
  `M17.925 20.056a6 6 0 0 0-11.851.001M8 11a4 4 0 1 0 8 0 4 4 0 1 0-8 0${RING}`,
);
export const LanguageIcon = /* @__PURE__ */ icon(
  'M5 8l6 6M4 14l6-6 2-3M2 5h12M7 2h1M22 22l-5-10-5 10M14 18h6',
);
export const ChevronIcon = /* @__PURE__ */ icon('M6 9l6 6 6-6');
export const PreviousIcon = /* @__PURE__ */ icon('M18 15l-6-6-6 6');
export const SignOutIcon = /* @__PURE__ */ icon(
  'M16 17l5-5-5-5M21 12H9M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4',
);
export const ChooseIcon = /* @__PURE__ */ icon('M7 15l5 5 5-5M7 9l5-5 5 5');
export const RefreshIcon = /* @__PURE__ */ icon(
  'M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8M21 3v5h-5',
);
export const RightIcon = /* @__PURE__ */ icon('M9 18l6-6-6-6');
export const LeftIcon = /* @__PURE__ */ icon('M15 18l-6-6 6-6');
export const FirstIcon = /* @__PURE__ */ icon('M11 17l-5-5 5-5M18 17l-5-5 5-5');
export const LastIcon = /* @__PURE__ */ icon('M6 17l5-5-5-5M13 17l5-5-5-5');
export const DownIcon = /* @__PURE__ */ icon('M12 5v14M19 12l-7 7-7-7');
export const UpIcon = /* @__PURE__ */ icon('M12 19V5M5 12l7-7 7 7');
export const PlusIcon = /* @__PURE__ */ icon('M5 12h14M12 5v14');
export const BlockIcon = /* @__PURE__ */ icon(`${RING}M4.9 4.9l14.2 14.2`);
export const ExternalIcon = /* @__PURE__ */ icon(
  'M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6',
);
const SHIELD =
  'M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z';
export const ShieldIcon = /* @__PURE__ */ icon(SHIELD);
export const ShieldAlertIcon = /* @__PURE__ */ icon(`${SHIELD}M12 8v4M12 16h.01`);
