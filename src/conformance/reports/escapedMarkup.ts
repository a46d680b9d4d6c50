import { replaceControls, replaceInvisible, spelledOut } from '../../protocol/hiddenCharacters.ts';
import { pipelineCommand } from '../../protocol/pipelineCommand.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/**
 * Untrusted text for HTML, XML and SVG, also inside an attribute: it opens no tag and ends no value. Invisible characters are spelled
 * out, as in every other place; control characters, which XML has no way to write, are left out. It begins no line, and has no command to a
 * CI service in it: reports are printed, too.
 */
export const escapedMarkup = (text: string): string =>
  visibleText(text)
    .replaceAll(/[&<>"'\n\t]/g, character => entities[character] ?? character)
    .replaceAll(pipelineCommand, '&#35;#');

/** The same for what is no markup. Line breaks stay. */
export const visibleText = (text: string): string =>
  replaceInvisible(
    replaceControls(text.toWellFormed().replaceAll(/[\ufffe\uffff]/g, ''), () => ''),
    spelledOut,
  );
