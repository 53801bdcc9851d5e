import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EmbeddedEngine } from '../embedded.ts';
import { presetConfig } from '../network/config.ts';
import { calibrationFile, calibrationOf, forgetCalibration, keepCalibration, requestsPerLane } from './calibration.ts';

const config = presetConfig('xxs', { vocabulary: 300, context: 256 });
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agoge-lanes-'));
  vi.stubEnv('XDG_CACHE_HOME', folder);
  vi.stubEnv('AGOGE_CALIBRATION', 'keep');
  forgetCalibration();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('a lane is full where twice the rows take notably longer', () => {
  expect(requestsPerLane({ 4: 1, 8: 1.5, 16: 2.5 })).toBe(4);
  expect(requestsPerLane({ 4: 1, 8: 1.1, 16: 1.2, 32: 2 })).toBe(16);
  // The step of four rows was interrupted: it cannot have taken longer than the one of eight.
  expect(requestsPerLane({ 4: 9, 8: 1.1, 16: 1.8 })).toBe(8);
  // Nothing to compare with.
  expect(requestsPerLane({ 4: 1 })).toBe(4);
});

test('the first samples measure, later processes read; replies are the same with and without', async () => {
  const sample = async (): Promise<string> => {
    await using engine = await EmbeddedEngine.open({ config, seed: 3, threads: 2 });
    const prompts = [5, 9, 11].map((length) => Int32Array.from({ length }, (_, i) => i % 60));
    const samples = await Promise.all(prompts.map((prompt, seed) => engine.sample({ prompt, maxTokens: 8, seed })));
    return samples.map(({ tokens, logprobs }) => `${tokens.join()}:${logprobs.join()}`).join('\n');
  };
  const measuring = await sample();
  forgetCalibration();
  const known = calibrationOf(config);
  expect(Object.keys(known?.steps ?? {})).toEqual(['4', '8', '16', '32']);
  expect(await sample()).toBe(measuring);
  const other = presetConfig('xxs', { vocabulary: 301, context: 256 });
  expect(calibrationOf(other)).toBeUndefined();
  keepCalibration(other, { 4: 1, 8: 2 });
  expect(Object.keys(JSON.parse(readFileSync(calibrationFile(), 'utf8')) as object)).toHaveLength(2);

  vi.stubEnv('AGOGE_CALIBRATION', 'off');
  expect(calibrationOf(config)).toBeUndefined();
  expect(await sample()).toBe(measuring);
});

test('a broken file is measured anew', () => {
  keepCalibration(config, { 4: 1, 8: 2 });
  forgetCalibration();
  for (const text of ['{', '[]', 'null', '{"x":{"4":"1"}}']) {
    writeFileSync(calibrationFile(), text);
    expect(calibrationOf(config)).toBeUndefined();
  }
  keepCalibration(config, { 4: 1, 8: 2 });
  expect(calibrationOf(config)?.requests).toBe(4);
});

test('nothing is written unless it is asked for, and then a folder that cannot be written is told of', () => {
  vi.stubEnv('AGOGE_CALIBRATION', '');
  keepCalibration(config, { 4: 1, 8: 2 });
  expect(calibrationOf(config)?.requests).toBe(4);
  expect(existsSync(calibrationFile())).toBe(false);

  vi.stubEnv('AGOGE_CALIBRATION', 'keep');
  writeFileSync(join(folder, 'file'), '');
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'file'));
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  keepCalibration(config, { 4: 1, 8: 2 });
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('set XDG_CACHE_HOME'));
  warned.mockRestore();
});
