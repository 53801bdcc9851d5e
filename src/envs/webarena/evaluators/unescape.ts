/**
 * `html.unescape` for what pages show: numbers by HTML's rules, and the named characters of HTML 4 (the first hundred also without their
 * semicolon). HTML 5's two thousand further names stay as they are.
 */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const FURTHER =
  'apos39 OElig338 oelig339 Scaron352 scaron353 Yuml376 fnof402 circ710 tilde732 Gamma915 Delta916 Theta920 Lambda923 Pi928 Sigma931 Phi934 Psi936 Omega937 alpha945 beta946 gamma947 delta948 epsilon949 zeta950 eta951 theta952 iota953 kappa954 lambda955 mu956 nu957 xi958 pi960 rho961 sigmaf962 sigma963 tau964 upsilon965 phi966 chi967 psi968 omega969 ensp8194 emsp8195 thinsp8201 zwnj8204 zwj8205 lrm8206 rlm8207 ndash8211 mdash8212 lsquo8216 rsquo8217 sbquo8218 ldquo8220 rdquo8221 bdquo8222 dagger8224 Dagger8225 bull8226 hellip8230 permil8240 prime8242 Prime8243 lsaquo8249 rsaquo8250 oline8254 frasl8260 euro8364 image8465 weierp8472 real8476 trade8482 larr8592 uarr8593 rarr8594 darr8595 harr8596 rArr8658 hArr8660 forall8704 part8706 exist8707 empty8709 nabla8711 isin8712 ni8715 prod8719 sum8721 minus8722 lowast8727 radic8730 infin8734 ang8736 and8743 or8744 cap8745 cup8746 int8747 sim8764 cong8773 asymp8776 ne8800 equiv8801 le8804 ge8805 sub8834 sup8835 oplus8853 otimes8855 perp8869 sdot8901 loz9674 spades9824 clubs9827 hearts9829 diams9830';

const LEGACY = new Map([
  ...LATIN.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...(['amp&', 'AMP&', 'lt<', 'LT<', 'gt>', 'GT>', 'quot"', 'QUOT"', 'COPY\xa9', 'REG\xae'] as const).map(
    (entry) => [entry.slice(0, -1), entry.slice(-1)] as const,
  ),
]);
const NAMED = new Map([
  ...LEGACY,
  ...FURTHER.split(' ').map((entry) => {
    const [, name = '', code = ''] = /^([A-Za-z]+)(\d+)$/.exec(entry) ?? [];
    return [name, String.fromCodePoint(Number(code))] as const;
  }),
]);
/** Numbers that old pages use for Windows-1252. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

export function unescapeHtml(text: string): string {
  return text.replace(/&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/g, (whole, reference: string) => {
    return (reference.startsWith('#') ? numbered(reference) : named(reference)) ?? whole;
  });
}

function numbered(reference: string): string | undefined {
  const digits = reference.replace(/;$/, '').slice(1);
  const code = /^[xX]/.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  if (code === 0) return '\ufffd';
  if (code === 0x0d) return '\r';
  if (code >= 0x80 && code <= 0x9f) return Array.from(WINDOWS)[code - 0x80];
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return '\ufffd';
  const noncharacter = (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
  const control = (code >= 1 && code <= 8) || code === 0x0b || (code >= 0x0e && code <= 0x1f) || code === 0x7f;
  return noncharacter || control ? '' : String.fromCodePoint(code);
}

function named(reference: string): string | undefined {
  if (reference.endsWith(';')) {
    const found = NAMED.get(reference.slice(0, -1));
    if (found !== undefined) return found;
  }
  for (let length = reference.length; length > 1; length--) {
    const found = LEGACY.get(reference.slice(0, length));
    if (found !== undefined) return found + reference.slice(length);
  }
  return undefined;
}
