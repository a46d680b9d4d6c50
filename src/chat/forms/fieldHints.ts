import type { FormField } from '../../schema/forms/inputForm.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';

/** Examples for formats that are hard to guess. */
const examples: Readonly<Record<string, string>> = { time: '14:30:00Z', duration: 'PT1H30M' };

/** Constraints on a field's value, as short hints shown before the person types. */
export function hintsOf({ kind, least, most, above, below, step, pattern, format, example }: FormField): readonly string[] {
  const hints: string[] = [];
  if (kind === 'number' || kind === 'integer') {
    if (least !== undefined && most !== undefined) hints.push(t('{0} to {1}', least, most));
    else if (least !== undefined) hints.push(t('At least {0}', least));
    else if (most !== undefined) hints.push(t('At most {0}', most));
    if (above !== undefined) hints.push(t('More than {0}', above));
    if (below !== undefined) hints.push(t('Less than {0}', below));
    if (step !== undefined) hints.push(t('A multiple of {0}', step));
    if (kind === 'integer') hints.push(t('A whole number'));
  } else {
    hints.push(...sizes(kind === 'list' || kind === 'choices', least, most));
  }
  if (format !== undefined)
    hints.push(
      Object.hasOwn(examples, format)
        ? t('Format: {0}, such as {1}', format, examples[format] ?? '')
        : t('Format: {0}', visibleName(format, 120)),
    );
  if (pattern !== undefined) hints.push(t('Matches {0}', visibleName(`/${pattern}/`, 120)));
  if (kind === 'list') hints.push(t('One per line'));
  if (kind === 'json') hints.push(t('Written as JSON'));
  if (example !== undefined) hints.push(t('Such as {0}', visibleName(example, 200)));
  return hints;
}

function sizes(items: boolean, least: number | undefined, most: number | undefined): readonly string[] {
  if (least !== undefined && most !== undefined)
    return [items ? t('{0} to {1} items', least, most) : t('{0} to {1} characters', least, most)];
  if (least !== undefined && least > 0) return [items ? t('At least {0} items', least) : t('At least {0} characters', least)];
  return most === undefined ? [] : [items ? t('At most {0} items', most) : t('At most {0} characters', most)];
}
