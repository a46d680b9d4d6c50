import { exactJson } from '../../protocol/json/exactJson.ts';
import { holdsMoreValues } from '../../protocol/json/valueCount.ts';
import { requireShallowJson } from '../../protocol/json/nesting.ts';
import type { RawPart } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isTextual, mediaTypeOfName } from '../text/mediaTypes.ts';
import type { FileContent } from '../values/valueSources.ts';
import { wrongEncoding, saveAsUtf8 } from '../text/utf8Text.ts';

const forms = ['text', 'json', 'part', 'base64'] as const;

/** How a file is put into a request. */
type FileForm = (typeof forms)[number];

const argument = new RegExp(`^(.*?)(?:\\s+as\\s+(${forms.join('|')}))?$`, 's');

/** Splits `PATH` or `PATH as FORM`. */
export function readFileArgument(text: string): { readonly path: string; readonly form?: FileForm } {
  const [, path = text, form] = argument.exec(text.trim()) ?? [];
  return { path, form: form as FileForm | undefined };
}

/**
 * The value of a file: in the given form, else text as a string, JSON as its value, and anything else as a part with the bytes.
 * @throws Problem `bad-file` where the content does not fit the form
 */
export function fileValue({ name, bytes }: FileContent, form?: FileForm): unknown {
  const mediaType = mediaTypeOfName(name);
  switch (form ?? (mediaType === 'application/json' ? 'json' : isTextual(mediaType) ? 'text' : 'part')) {
    case 'text':
      return textOf(name, bytes);
    case 'base64':
      return base64(bytes);
    case 'part':
      return { raw: base64(bytes), filename: name, mediaType } satisfies RawPart;
    case 'json':
      try {
        return jsonOf(name, textOf(name, bytes));
      } catch (cause) {
        if (cause instanceof Problem) throw cause;
        throw new Problem('bad-file', sentence('The file {0} is not JSON: {1}', name, (cause as Error).message), {
          nextStep: sentence('Correct it, or write "as text" or "as part" after its path.'),
          cause,
        });
      }
  }
}

/** Most values of a JSON file, as many as are read of an answer. */
const maxValues = 200_000;

function jsonOf(name: string, text: string): unknown {
  if (holdsMoreValues(text, maxValues))
    throw new Problem('bad-file', sentence('The file {0} exceeds the limit of {1} JSON values.', name, maxValues), {
      nextStep: sentence('Split it, or write "as text" or "as part" after its path.'),
    });
  const value = exactJson(text);
  requireShallowJson(value);
  return value;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

function textOf(name: string, bytes: Uint8Array): string {
  const foreign = wrongEncoding(name, bytes);
  if (foreign !== undefined)
    throw new Problem('bad-file', foreign, { nextStep: sentence('{0} Or write "as part" after its path.', saveAsUtf8) });
  return new TextDecoder().decode(bytes);
}
