import { type AccentSettings, readBrand } from '@platform/shared/appearance/brand-colours';

/** The logos, the colours and the links of the pages, if they are set. */
export type MailAppearance = {
  hasLogo: boolean;
  hasDarkLogo?: boolean;
  accent?: AccentSettings;
  supportEmail?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
};

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = 'color:#1c2024';
const MUTED = 'color:#60646c';
const LINE = '#e0e1e6';

/**
 * Inline styles for a light mail on a wide screen, which mail programs show that ignore style elements, and a
 * style element for dark ones and for phones. The colours are those of the pages (web/style.css).
 */
export const createMailStyle = ({ accent }: MailAppearance) => {
  const { light, dark } = readBrand(accent ?? { colour: undefined, dark: undefined });
  const square = `background:${light.accent};color:${light.onAccent}`;
  return {
    body: `margin:0;padding:0;background:${light.ground};${FONT}`,
    outer: 'max-width:512px;margin:0 auto;padding:32px 16px',
    card: `padding:32px 32px 16px;border:1px solid ${LINE};border-radius:12px;background:#ffffff;overflow-wrap:anywhere`,
    brand: 'margin:0 0 24px',
    name: `padding-left:10px;font-size:16px;line-height:36px;font-weight:600;${TEXT}`,
    mark: `width:36px;height:36px;border-radius:10px;${square};font-size:18px;line-height:36px;font-weight:600;text-align:center`,
    logo: 'display:block;max-width:220px;height:36px;margin:0 0 24px;border:0',
    headline: `margin:0 0 12px;font-size:22px;line-height:28px;font-weight:600;${TEXT}`,
    paragraph: `margin:0 0 16px;font-size:16px;line-height:24px;${TEXT}`,
    quote: `margin:0 0 16px;padding-left:12px;border-left:3px solid ${LINE};font-size:16px;line-height:24px;${TEXT}`,
    facts: 'width:100%;margin:0 0 20px;border-collapse:collapse',
    factLabel: `padding:10px 16px 10px 0;border-top:1px solid ${LINE};font-size:14px;line-height:20px;font-weight:400;text-align:left;vertical-align:top;white-space:nowrap;${MUTED}`,
    fact: `width:100%;padding:10px 0;border-top:1px solid ${LINE};font-size:15px;line-height:20px;${TEXT}`,
    code: `margin:0 0 16px;padding:18px 0 18px 10px;border-radius:10px;background:${light.tint};${TEXT};font-size:34px;line-height:40px;font-weight:600;letter-spacing:10px;text-align:center;font-variant-numeric:tabular-nums`,
    /** For a code that is too long for one line. */
    longCode: `margin:0 0 16px;padding:14px 16px;border-radius:10px;background:${light.tint};${TEXT};font-size:17px;line-height:26px;font-weight:600`,
    // Outlook ignores the padding of links, but not that of cells. A border in its place would get another colour
    // in mail programs that invert light mails.
    buttonCell: `border-radius:8px;${square};mso-padding-alt:11px 20px`,
    button: `display:inline-block;padding:11px 20px;border-radius:8px;${square};font-size:16px;line-height:22px;font-weight:500;text-decoration:none`,
    buttonLine: 'margin:8px 0 20px',
    link: `color:${light.link};overflow-wrap:anywhere`,
    small: `margin:0 0 16px;font-size:14px;line-height:20px;${MUTED}`,
    end: 'padding:16px 33px 0',
    foot: `margin:0 0 8px;font-size:14px;line-height:20px;${MUTED}`,
    footLink: `display:inline-block;margin-right:16px;${MUTED}`,
    hidden: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
    sheet: [
      ':root{color-scheme:light dark;supported-color-schemes:light dark}',
      '@media (prefers-color-scheme:dark){',
      `.ground{background:${dark.ground}!important}`,
      '.card{background:#1c1d20!important;border-color:#2e3135!important}',
      '.text{color:#edeef0!important;border-color:#2e3135!important}',
      '.muted{color:#b0b4ba!important}',
      '.line{border-color:#2e3135!important}',
      `.box{background:${dark.tint}!important;color:#edeef0!important}`,
      `.accent{background:${dark.accent}!important;color:${dark.onAccent}!important}`,
      `.link{color:${dark.link}!important}`,
      '.light{display:none!important}.dark{display:block!important}',
      '}',
      '@media (max-width:520px){.outer{padding:20px 12px!important}.card{padding:24px 20px 8px!important}',
      '.end{padding:16px 21px 0!important}.wide{width:100%!important}',
      '.button{display:block!important;text-align:center!important}}',
    ].join(''),
  };
};

export type MailStyle = ReturnType<typeof createMailStyle>;
