import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const focusedTest = { selector: 'CallExpression[callee.property.name="only"]', message: 'A focused test leaves the others out.' };

/** Few rules, and each an error: the ones that find defects which neither the compiler nor a test would. */
export default defineConfig(
  { ignores: ['dist/', 'node_modules/', 'test-output/', 'examples/workspace/', 'media/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: ['tsconfig.json', 'src/chat/tsconfig.json', 'test/ui/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-for-in-array': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false, attributes: false } }],
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true, allowThrowingAny: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true, allowThrowingAny: true }],
      '@typescript-eslint/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: ['error', 'always'],
      'no-constant-condition': ['error', { checkLoops: 'none' }],
      'no-control-regex': 'error',
      'no-empty': 'error',
      'no-restricted-syntax': ['error', focusedTest],
      'no-self-assign': 'error',
      'no-unsafe-finally': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['test/ui/panel/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        focusedTest,
        {
          selector: 'CallExpression[callee.property.name=/^(innerText|allInnerTexts)$/]',
          message: 'It is empty for what the browser skips drawing: use shownText.',
        },
      ],
    },
  },
);
