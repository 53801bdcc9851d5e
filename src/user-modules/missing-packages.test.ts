/** A file that imports what is not there: the sentence has the command. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { missingPackages } from './missing-packages.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-missing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'agent.ts');
const nodeSays = (name: string): Error => new Error(`Cannot find package '${name}' imported from ${file}`);

describe('packages that are missing', () => {
  it('are all named, with the command; what is there, Node’s own and files are not', () => {
    mkdirSync(join(folder, 'node_modules/zod'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/zod/package.json'), '{}');
    writeFileSync(
      file,
      "import { defineAgent } from 'agoge';\nimport { generateText,\n  tool } from 'ai';\nimport fs from 'fs';\nimport path from 'node:path';\n" +
        "import { z } from 'zod';\nimport { createAgent } from '@far/away/deep';\nimport { boxes } from './boxes.ts';\n",
    );
    expect(missingPackages(nodeSays('ai'), folder)).toBe('ai, @far/away are not installed: run npm install ai @far/away');
  });

  it('that package.json asks for already need no names', () => {
    writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "ai": "^5" }, "devDependencies": { "@far/away": "1" } }');
    expect(missingPackages(nodeSays('ai'), folder)).toBe('ai, @far/away are not installed: run npm install');
    expect(missingPackages(nodeSays('ai'), tmpdir())).toMatch(/: run npm install --prefix agoge-missing-\w+$/);
  });

  it('are not made of other errors', () => {
    expect(missingPackages(new Error('Unexpected token'))).toBeUndefined();
    expect(missingPackages('no error')).toBeUndefined();
  });
});
