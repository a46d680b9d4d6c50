import { build } from '../esbuild.mjs';
import { Failure } from './failure.ts';

/**
 * Builds the product.
 *
 * @throws {Failure} where a source does not compile; esbuild has printed the error.
 */
export async function buildProduct(options: { readonly production?: boolean } = {}): Promise<void> {
  await build(options).catch((error: Error & { readonly errors?: unknown }) => {
    const what = error.errors === undefined ? `The build failed: ${error.message}` : 'The build failed; what is wrong is above.';
    throw new Failure(what, 'Mend the sources and run the same command again.', error);
  });
}
