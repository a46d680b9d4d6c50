import { cores, crossed, type Vector } from '../vector.ts';

/** What ends the text, attribute, element or comment that somebody thought the text would be in. */
const closers = [
  '"',
  "'",
  '">',
  "'>",
  '`>',
  '/>',
  '-->',
  '--!>',
  ']]>',
  '?>',
  '%>',
  '</title>',
  '</textarea>',
  '</style>',
  '</script>',
  '</noscript>',
  '</template>',
  '</iframe>',
  '</noembed>',
  '</noframes>',
  '</xmp>',
  '</option></select>',
  '</pre></code>',
  '</span></div></article></main>',
  '</td></tr></table>',
  '</svg>',
  '</math>',
  '</a>',
  '</button>',
  '\\">',
  '\\u0022>',
  '&quot;>',
];

export const breakouts = crossed(closers, cores, (closer, core) => hit => closer + core(hit));

/** An attribute that gets another one beside it. */
export const attributes: readonly Vector[] = crossed(
  ['"', "'", '`', '" ', "' ", '"/', '" \n', '"\f', '"\t', '\\"', '&quot; '],
  [' onmouseover=', ' autofocus onfocus=', '/onclick=', ' style=x:y onpointerenter='],
  (quote, handler) =>
    ({ code }) =>
      `${quote}${handler}${quote.replaceAll(/[^"'`]/g, '')}${code}${quote.replaceAll(/[^"'`]/g, '')} x=${quote}`,
);
