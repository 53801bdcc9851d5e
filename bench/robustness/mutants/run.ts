import { changes } from './change.ts';

export const run = changes('run', {
  'episode-files.ts': [
    ['of > step) await rm(join(folder, name)', 'of > step + 1) await rm(join(folder, name)', 'cutAfter keeps later episodes'],
    ['filter((one) => one.step <= step)', 'filter((one) => one.step < step)', 'a resume loses the rows of its own step'],
    ['const kept = listed.filter((one) => !readFiles.has(fileKey(one)));', 'const kept = listed;', 'healed rows twice'],
    ['const read = await this.unlisted(wholeFiles(listed));', 'const read: IndexedEpisode[] = [];', 'lost rows stay lost'],
    ["one.step !== step || one.purpose !== 'eval'", 'one.step !== step', 'episodes of a step go with its evaluation'],
    ["await rm(episodesFile(this.directory, step, 'eval'), { force: true });", '', 'a dropped evaluation leaves its file'],
    ['const writing = this.last.then(async', 'const writing = Promise.resolve().then(async', 'the order of the index is chance'],
    ['this.last = writing.catch(() => undefined);', 'this.last = writing;', 'after one failed write no other is tried'],
    ['one.row === next ? next + 1 : NaN', 'next + 1', 'holes in the index stay'],
    ['if (newest) rows.set(fileKey(newest), NaN);', '', 'a torn last file stays torn'],
    ['.sort(inOrder)', '', 'healed rows at the end'],
  ],
  'episode-index.ts': [
    ['if (one && !this.readFiles.has(fileKey(one))) this.add(one);', 'if (one) this.add(one);', 'episodes shown twice'],
    ['return step * 2 + Number', 'return step + Number', 'steps and evaluations are mixed up'],
    [
      "outcome.kind === 'finished' && outcome.success ? 'success'",
      "outcome.kind === 'finished' ? 'success'",
      'what ended is solved',
    ],
    [
      "reward: outcome.kind === 'failed' ? null : outcome.reward",
      "reward: outcome.kind === 'failed' ? 0 : outcome.reward",
      'a failed episode earns nothing',
    ],
    ['if (!(reward >= minReward && reward <= maxReward)) continue;', 'if (!(reward >= minReward)) continue;', 'no upper bound'],
    ['(Array.isArray(parsed) ? fromArray(parsed) : parsed)', 'parsed', 'indexes of older runs are empty'],
    ['if (outcome >= 0 && words[word + 3] !== outcome) continue;', '', 'the filter by outcome does nothing'],
  ],
  'files.ts': [
    ["const file = await open(hidden, 'w');", "const file = await open(path, 'w');", 'writes that are not atomic'],
    [
      'await rename(hidden, path);\n  } catch (thrown) {\n    await rm(hidden, { force: true });',
      'await rename(hidden, path);\n  } catch (thrown) {',
      'half files are left',
    ],
    ['await fill(hidden);', 'await fill(path);', 'folders that fill under their name'],
    ['if (/^\\.+writing-/.test(name))', 'if (/^\\./.test(name))', 'hidden files of others go'],
    [
      'await rm(path, { recursive: true, force: true });\n    await rename(hidden, path);',
      'await rename(hidden, path);',
      'a checkpoint cannot be written again',
    ],
  ],
  'checkpoints.ts': [
    ['return steps.sort((a, b) => a - b);', 'return steps.sort();', 'the latest checkpoint by name'],
    ['if (later > step) await rm', 'if (later > step + 1) await rm', 'a later checkpoint stays'],
    ['if (best && best.step > step) await rm', 'if (best && best.step < step) await rm', 'best after a cut kept'],
    ['if (step !== best) await rm', 'await rm', 'the best checkpoint is removed'],
    ['Math.max(0, steps.length - keep)', 'Math.max(0, steps.length - keep + 1)', 'one checkpoint fewer is kept'],
    [
      "return a.by === 'loss' ? a.score < b.score : a.score > b.score;",
      'return a.score > b.score;',
      'the worst loss is the best',
    ],
    ['!Number.isFinite(b.score)) return Number.isFinite(a.score);', '!Number.isFinite(b.score)) return true;', 'NaN is the best'],
    ['refuseNewer(state, path);', '', 'a newer state is read as it comes'],
  ],
  'run-directory.ts': [
    ['best: await this.checkpoints.best(),', 'best: this.current.best,', 'run.json names a best checkpoint that is gone'],
    ['cut: latest ?? -1', 'cut: latest ?? 0', 'the evaluation before the first step stays twice'],
    ['await this.episodes.cutAfter(cut);', '', 'later episodes stay'],
    ['await this.metrics.cutAfter(cut);', '', 'later metrics stay'],
    [
      "if (this.resumed && !this.begun && this.current.status !== 'running') await this.owner.release();\n    else await this.update({ status: 'failed'",
      "if (false) await this.owner.release();\n    else await this.update({ status: 'failed'",
      'a resume that fails spoils a finished run',
    ],
    ['await directory.metrics.cutAfter(-1);', '', 'metrics of a failed start stay'],
    ['if (await holdsRun(path)) throw exists(path);\n    const owner', 'const owner', 'a run is written over'],
    ['resumes: [...this.current.resumes, {', 'resumes: [{', 'earlier resumes are forgotten'],
  ],
  'metrics-log.ts': [
    ['filter((line) => line.step <= step)', 'filter((line) => line.step < step)', 'the step of the checkpoint is lost'],
    ['lines.filter((line) => line.step !== step)', 'lines.filter((line) => line.step > step)', 'earlier evaluations go with one'],
    [
      'for (const name of [layout.metrics, layout.evaluations])',
      'for (const name of [layout.metrics])',
      'evaluations are not cut',
    ],
    ['{ ...line.data, ...data }', '{ ...data }', 'an owed evaluation replaces the metrics of its step'],
  ],
  'growing-lines.ts': [
    ['if (anew || size < this.offset) {', 'if (size < this.offset) {', 'a rewritten file is read on'],
    ['this.offset += bytesRead;', 'this.offset = bytesRead;', 'lines twice'],
    ['this.restarted();', '', 'old rows beside new ones'],
  ],
  'ownership.ts': [
    ['|| !runs(owner) ? undefined', '? undefined', 'a dead owner holds a folder'],
    ['if (highest > 0) await refuseHeld(folder);', '', 'two write to one folder'],
  ],
  'line-cutter.ts': [
    ['if (this.size > this.most) {', 'if (this.size > Infinity) {', 'lines without a bound'],
    ['this.keep(chunk.subarray(last + 1));', '', 'the beginning of a line is lost'],
  ],
  'inside.ts': [
    ["!inside.startsWith('..')", 'true', 'a link leads out of the folder'],
    ['if (size > most) throw tooLarge(name, most);', '', 'files without a bound'],
  ],
});
