import { describe, expect, it } from 'vitest';
import { rlRecipe } from '../../../config/recipe.ts';
import { AgreementWatch, halves, remediesFor } from './agreement.ts';
import type { TrainingRow } from './batch-rows.ts';

const rows = (groups: string): { row: TrainingRow }[] => Array.from(groups, (group) => ({ row: { group } as TrainingRow }));
const names = (items: readonly { row: TrainingRow }[]): string => items.map(({ row }) => row.group).join('');

describe('halves of a batch', () => {
  it('keep groups whole and are about equal', () => {
    expect(halves(rows('aaaabbbbcc'))?.map(names)).toEqual(['aaaa', 'bbbbcc']);
    expect(halves(rows('abbbbbb'))?.map(names)).toEqual(['a', 'bbbbbb']);
  });
  it('one group has none', () => expect(halves(rows('aaaa'))).toBeUndefined());
});

describe('agreement', () => {
  it('warns once, after enough steps, and only near zero', () => {
    const noise = new AgreementWatch(['more episodes']);
    const said = Array.from({ length: 50 }, (_, i) => noise.note(i % 2 === 0 ? 0.05 : -0.05).warning);
    expect(said.findIndex((warning) => warning !== undefined)).toBe(19);
    expect(said.filter((warning) => warning !== undefined)).toHaveLength(1);
    expect(said[19]).toMatch(/mostly noise.*more episodes/);
    const sound = new AgreementWatch(['more episodes']);
    for (let i = 0; i < 50; i++) expect(sound.note(0.1).warning).toBeUndefined();
    expect(new AgreementWatch(['more episodes']).note(undefined)).toEqual({});
  });
  it('is answered with what the recipe has not tried', () => {
    const given = { run: 'x', tasks: [{ env: 'textcraft' }] };
    expect(remediesFor(rlRecipe(given)).join()).toMatch(/rollout\.branch=8.*rollout\.prefer.*anchor.*evaluate\.average/);
    const tried = rlRecipe({ ...given, rollout: { branch: 8, prefer: {} }, evaluate: { average: {} }, algorithm: { kl: {} } });
    expect(remediesFor(tried).join()).not.toMatch(/branch|prefer|average/);
  });
});
