import type { Vector } from '../vector.ts';
import { otherAddresses, scriptAddresses } from './addresses.ts';
import { attributes, breakouts } from './breakouts.ts';
import { handlers, selfFiring } from './elements.ts';
import { loads, styles } from './loads.ts';
import { drawnBlocks, markdown, templates } from './markdown.ts';
import { clobbering, mutations } from './mutations.ts';
import { handlerValues, syntax } from './syntax.ts';
import { documents, encoded, memberNames } from './texts.ts';

/** Attacks by class: what they rely on. */
export const classes: Readonly<Record<string, readonly Vector[]>> = {
  selfFiring,
  handlers,
  breakouts,
  attributes,
  syntax,
  handlerValues,
  scriptAddresses,
  otherAddresses,
  loads,
  styles,
  markdown,
  drawnBlocks,
  templates,
  mutations,
  clobbering,
  encodings: encoded,
  memberNames,
  documents,
};
