// Outlines of Lucide (https://lucide.dev, ISC licence), each as one path, and only those that the pages use.
// `@__PURE__` leaves out those that an application does not use.

// The other icons are in icons.tsx, because the first screen does not need them.

export const icon = (outline: string) => () => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={outline} />
  </svg>
);

/** The path of the circle around a tick, a cross or a letter. */
export const RING = 'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0';

export const MailIcon = /* @__PURE__ */ icon(
  'M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2zM22 7l-8.97 5.7a1.94 1.94 0 0 1-2.06 0L2 7',
);
export const EyeIcon = /* @__PURE__ */ icon(
  'M2.06 12.35a1 1 0 0 1 0-.7 10.75 10.75 0 0 1 19.88 0 1 1 0 0 1 0 .7 10.75 10.75 0 0 1-19.88 0M9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0',
);
export const EyeOffIcon = /* @__PURE__ */ icon(
  'M10.73 5.08A10.74 10.74 0 0 1 21.94 11.65a1 1 0 0 1 0 .7 10.75 10.75 0 0 1-1.44 2.49M14.08 14.16a3 3 0 0 1-4.24-4.24M17.48 17.5A10.75 10.75 0 0 1 2.06 12.35a1 1 0 0 1 0-.7 10.75 10.75 0 0 1 4.45-5.14M2 2l20 20',
);
export const CheckCircleIcon = /* @__PURE__ */ icon(`${RING}M9 12l2 2 4-4`);
export const InfoIcon = /* @__PURE__ */ icon(`${RING}M12 16v-4M12 8h.01`);
export const AlertIcon = /* @__PURE__ */ icon(
  'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
);
export const FingerprintIcon = /* @__PURE__ */ icon(
  'M12 10a2 2 0 0 0-2 2c0 1-.1 2.5-.3 4M14 13.1c0 2.4 0 6.4-1 8.9M17.3 21c.1-.6.4-2.3.5-3M2 12a10 10 0 0 1 18-6M2 16h.01M21.8 16c.2-2 .1-5.3 0-6M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .3-2M8.7 22c.2-.7.5-1.3.6-2M9 6.8a6 6 0 0 1 9 5.2v2',
);
export const GlobeIcon = /* @__PURE__ */ icon(
  `${RING}M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20`,
);
export const CheckIcon = /* @__PURE__ */ icon('M20 6 9 17l-5-5');
export const BackIcon = /* @__PURE__ */ icon('M12 19l-7-7 7-7M19 12H5');
export const CopyIcon = /* @__PURE__ */ icon(
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2zM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
);
