/** Our offline run of Weights & Biases, read with its own records and by SwanLab's reader of such files. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Boards } from '../../../src/run/trackers/boards.ts';
import { peersMissing, python } from '../python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-trackers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = `
import sys, glob, json
from swanlab.converter.wb.wbdatastore import WBDataStoreReader
from wandb.proto import wandb_internal_pb2 as pb
history, out = [], {}
with WBDataStoreReader() as reader:
    reader.open(glob.glob(sys.argv[1] + '/wandb/*/run-*.wandb')[0])
    while (data := reader.scan()) is not None:
        record = pb.Record()
        record.ParseFromString(data)
        kind = record.WhichOneof('record_type')
        if kind == 'run':
            out['run'] = [record.run.project, record.run.display_name, {c.key: json.loads(c.value_json) for c in record.run.config.update}]
        if kind == 'history':
            history.append({i.nested_key[0]: json.loads(i.value_json) for i in record.history.item})
        if kind == 'exit':
            out['exit'] = record.exit.exit_code
print(json.dumps({**out, 'steps': len(history), 'last': history[-1]}))
`;

// SwanLab's converter as its command calls it; it asks for an account even where the result stays on this disk.
const convert = `
import sys, swanlab
from swanlab.converter.wb.local_converter import WandbLocalConverter
swanlab.login = lambda **_: True
WandbLocalConverter(mode='offline', log_dir=sys.argv[1] + '/swanlab').run(root_wandb_dir=sys.argv[1] + '/wandb')
`;

describe.skipIf(peersMissing())('trackers', () => {
  it('read what was logged', async () => {
    const boards = new Boards(folder, ['wandb'], { project: 'agoge', run: 'demo', config: { seed: 1 } });
    for (let step = 1; step <= 300; step++) await boards.scalars(step, { 'critic/score/mean': step / 10, ['x'.repeat(300)]: 1 });
    await boards.finish(true);
    const { stdout, stderr } = spawnSync(python, ['-c', script, folder], { encoding: 'utf8' });
    expect(JSON.parse(stdout || JSON.stringify({ stderr }))).toMatchObject({
      run: ['agoge', 'demo', { seed: 1 }],
      exit: 0,
      steps: 300,
      last: { 'critic/score/mean': 30, _step: 300 },
    });
    const synced = spawnSync(python, ['-m', 'wandb', 'sync', '--dry-run', join(folder, 'wandb')], { encoding: 'utf8' });
    expect(synced.stdout + synced.stderr).toContain('Would sync 1 run');
    const converted = spawnSync(python, ['-c', convert, folder], { encoding: 'utf8' });
    expect(converted.stdout + converted.stderr).not.toMatch(/ERROR|Failed|Traceback/);
    const files = readdirSync(join(folder, 'swanlab'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const kept = Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
    expect(kept.includes('critic/score/mean')).toBe(true);
  });
});
