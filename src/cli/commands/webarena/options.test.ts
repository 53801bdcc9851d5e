/** The options of `agoge webarena run`: the original's defaults and spellings, and what is refused. */
import { describe, expect, it } from 'vitest';
import { harnessOptions, readHarnessOptions } from './options.ts';

describe('readHarnessOptions', () => {
  it('has the defaults of the original run.py', () => {
    expect(readHarnessOptions({})).toMatchObject({
      'agent-type': 'prompt',
      provider: 'openai',
      model: 'gpt-3.5-turbo-0613',
      mode: 'chat',
      temperature: 1,
      'top-p': 0.9,
      'max-tokens': 384,
      'max-retry': 1,
      'max-obs-length': 1920,
      'max-steps': 30,
      'parsing-failure-th': 3,
      'repeating-action-failure-th': 3,
      'test-start-idx': 0,
      'test-end-idx': 1000,
      'viewport-width': 1280,
      'viewport-height': 720,
      'action-set-tag': 'id_accessibility_tree',
      'save-trace-enabled': false,
      'stop-token': undefined,
      'result-dir': undefined,
    });
  });

  it.each<[string, Record<string, unknown>, string, unknown]>([
    ['our spelling', { maxSteps: '7' }, 'max-steps', 7],
    ['the original’s spelling', { max_steps: '7' }, 'max-steps', 7],
    ['ours where both are given', { maxSteps: '7', max_steps: '8' }, 'max-steps', 7],
    ['a fraction', { temperature: '0.5' }, 'temperature', 0.5],
    ['nothing at all', { temperature: '0' }, 'temperature', 0],
    ['a page that is never cut', { maxObsLength: '0' }, 'max-obs-length', 0],
    ['a word', { agentType: 'teacher_forcing' }, 'agent-type', 'teacher_forcing'],
    ['a flag', { wholePage: true }, 'whole-page', true],
    ['a flag in the original’s spelling', { save_trace_enabled: true }, 'save-trace-enabled', true],
    ['a text that is empty', { modelEndpoint: '' }, 'model-endpoint', ''],
  ])('reads %s', (_, given, name, value) => expect(readHarnessOptions(given)).toHaveProperty([name], value));

  it.each<[Record<string, unknown>, string]>([
    [{ maxSteps: '0' }, '--max-steps 0 will not do'],
    [{ maxSteps: '1.5' }, '--max-steps 1.5 will not do'],
    [{ maxSteps: 'many' }, '--max-steps many will not do'],
    [{ temperature: '2.1' }, '--temperature 2.1 will not do'],
    [{ temperature: '-1' }, '--temperature -1 will not do'],
    [{ topP: '1.1' }, '--top-p 1.1 will not do'],
    [{ testStartIdx: '-1' }, '--test-start-idx -1 will not do'],
    [{ viewportWidth: '99' }, '--viewport-width 99 will not do'],
    [{ mode: 'talk' }, '--mode talk will not do'],
    [{ observation_type: 'picture' }, '--observation-type picture will not do'],
    [
      { provider: 'other' },
      '--provider other will not do (the providers are openai and huggingface): see agoge webarena run --help',
    ],
    // A variable of a script that is not set is no number: it was taken for 0.
    [{ temperature: '' }, '--temperature  will not do'],
    [{ testStartIdx: ' ' }, '--test-start-idx   will not do'],
    [{ sleepAfterExecution: '' }, '--sleep-after-execution  will not do'],
  ])('refuses %j', (given, said) => expect(() => readHarnessOptions(given)).toThrow(said));
});

describe('harnessOptions', () => {
  const options = harnessOptions();
  const named = (flag: string) => options.find(({ long }) => long === flag);

  it('shows our spelling and hides the original’s', () => {
    expect([named('--max-steps')?.hidden, named('--max_steps')?.hidden]).toEqual([false, true]);
    expect(named('--model_endpoint')).toBeDefined();
    expect(options.filter(({ long }) => long === '--seed')).toHaveLength(1);
  });

  it('takes values where there are some, and says the default', () => {
    expect([named('--max-steps')?.required, named('--whole-page')?.required]).toEqual([true, false]);
    expect(named('--max-steps')?.description).toBe('actions per task (default: 30)');
    expect(named('--whole-page')?.description).toBe('show all of a page');
    expect(named('--model-endpoint')?.description).not.toContain('default:');
  });
});
