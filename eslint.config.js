import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      '.cache/',
      'examples/',
      'studies/',
      '.dist-*/',
      'node_modules/',
      'outputs/',
      'coverage/',
      '**/.venv/',
      'web/dist/',
      '.ci/*.mjs',
      'scripts/*.mjs',
      'containers/*.mjs',
      'tests/**/*.mjs',
      'eslint.config.js',
    ],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // Spreading a text gives its code points, which is what we mean by it.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
    },
  },
  {
    // A function is read at once. Builders of graphs are one expression over many values.
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts', 'src/engine/embedded/network/block.ts', 'src/engine/embedded/sampling/decode-graph.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 80, IIFEs: true }] },
  },
  { files: ['**/*.test.ts', 'tests/**', 'bench/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
);
