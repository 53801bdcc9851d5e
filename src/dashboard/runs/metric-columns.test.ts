import { describe, expect, it } from 'vitest';
import { MetricColumns } from './metric-columns.ts';

describe('metrics as columns', () => {
  const table = (...lines: string[]) => {
    const columns = new MetricColumns();
    for (const line of lines) columns.addLine(line);
    return columns.table();
  };
  it("take our lines and verl's, and fill gaps with null", () => {
    expect(table('{"step":1,"data":{"a":1}}', '{"step":2,"a":2,"b":5}', '{"training/global_step":3,"b":6}')).toEqual({
      steps: [1, 2, 3],
      columns: { a: [1, 2, null], b: [null, 5, 6], 'training/global_step': [null, null, 3] },
    });
  });
  it('a step that is written again (a resumed run) replaces its numbers', () => {
    expect(table('{"step":1,"a":1}', '{"step":2,"a":2}', '{"step":2,"a":3}')).toEqual({ steps: [1, 2], columns: { a: [1, 3] } });
  });
  it.each(['', '{"step":1,"a":', 'null', '5', '"x"', '[1]', '{"step":"x","a":1}', '{"step":1e999,"a":1}'])(
    '%j is passed over or harmless',
    (line) => {
      const { columns } = table(line, '{"step":1,"a":7}');
      expect(columns['a']?.filter((value) => value !== null)).toEqual([7]);
    },
  );
  it('texts, lists and null are no numbers', () => {
    expect(table('{"step":1,"a":null,"b":"1","c":[1],"d":true,"e":0}').columns).toEqual({ e: [0] });
  });
  it('a metric may be called as it likes', () => {
    expect(Object.keys(table('{"step":1,"constructor":1,"toString":2}').columns)).toEqual(['constructor', 'toString']);
  });
});
