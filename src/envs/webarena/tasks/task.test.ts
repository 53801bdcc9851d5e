import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkEvaluators } from '../evaluators/evaluate.ts';
import { type Site, type SiteAddresses, SITES } from './sites.ts';
import { readTasks, startUrls } from './task.ts';

const OFFICIAL = '../shared/data/webarena/test.raw.json';
const addresses = Object.fromEntries(SITES.map((site, at) => [site, `http://127.0.0.1:${9000 + at}`])) as Record<
  Site,
  string
> as SiteAddresses;

describe('tasks', () => {
  it.skipIf(!existsSync(OFFICIAL))('of the official file all load, with evaluators that can be built', () => {
    const tasks = readTasks(readFileSync(OFFICIAL, 'utf8'), 'test.raw.json', addresses);
    expect(tasks).toHaveLength(812);
    for (const task of tasks) {
      checkEvaluators(task);
      expect(
        startUrls(task).every((url) => URL.canParse(url)),
        String(task.task_id),
      ).toBe(true);
    }
    expect(JSON.stringify(tasks)).not.toMatch(/__(SHOPPING|REDDIT|MAP|GITLAB|WIKIPEDIA)/);
  });

  it('are refused with the field that is wrong', () => {
    expect(() => readTasks('{"task_id": 1}', 'x.json')).toThrow(/x\.json is not a WebArena task \(sites:/);
    expect(() => readTasks('no', 'x.json')).toThrow(/x\.json is not JSON/);
  });
});
