import { changes } from './change.ts';

export const data = changes('data', {
  'select.ts': [
    ['Math.max(1, Math.floor(rows * share))', 'Math.max(1, Math.ceil(rows * share))', 'one row more is held out'],
    ['byItem ? (row.itemId ?? `#${number}`) : `#${number}`', '`#${number}`', 'a task is on both sides'],
    ['if (!(share > 0 && share < 1))', 'if (!(share > 0))', 'a share above one'],
    ["by === 'best' && reward > known.reward", "by === 'best' && reward < known.reward", 'the worst row of each item'],
    ["by === 'best' && reward > known.reward", "by === 'best' && reward >= known.reward", 'the last of equal rows'],
    ["by === 'words' ? fingerprint(entry.row) : itemKey(entry)", 'fingerprint(entry.row)', 'items are not looked at'],
    ['?? -Infinity;', '?? 0;', 'a row without a reward beats a bad one'],
    ['hash.update(`${role}\\0${content}\\0`)', 'hash.update(content)', 'roles do not count'],
    ['?? 0.99;', '?? 0.5;', 'half-solved tasks are kept'],
    ["Random.of(seed, 'split')", "Random.of(0, 'split')", 'the seed does nothing'],
  ],
  'convert.ts': [
    ["second.loss === false\n        ? 'system'", "second.loss === true\n        ? 'system'", 'verl rows keep the canned reply'],
    ['...messages.slice(2)]', '...messages.slice(1)]', 'the canned reply stays'],
    ['loss: false },\n      ...messages.slice(1)', 'loss: true },\n      ...messages.slice(1)', 'the canned reply is learned'],
    ['item.number ?? options.position', 'options.position ?? item.number', 'tasks by their place in the file'],
    [
      "extension === '.json' ? 'agenttraj' : 'chat'",
      "extension === '.json' ? 'chat' : 'agenttraj'",
      'the wrong format by the name',
    ],
    ["from.kind === 'task' ? 'verl-rl' : 'verl-sft'", "'verl-sft'", 'tasks become conversations'],
    ['index: options.index ?? 0', 'index: 0', 'rows have one index'],
    ['options.env ?? (row.kind', 'undefined ?? (row.kind', '--env does nothing'],
    ['if (keeps) return', 'if (!keeps) return', 'spare fields are lost'],
  ],
  'play/play-journal.ts': [
    ['if (found !== undefined && found !== hash && !force)', 'if (false)', 'the start of another request is gone on with'],
    [
      'if (found !== hash) await journal.begin(hash);',
      'if (found === undefined) await journal.begin(hash);',
      'force keeps foreign rows',
    ],
    ['if (at < position) await this.file.truncate(at);', '', 'a torn line stays'],
    ['at += length;\n', '', 'rows are read from wrong places'],
    ['this.end += line.length;', 'this.end += 1;', 'rows are read from wrong places'],
    ['if (this.entries.size === 0) await this.remove();', '', 'an empty journal stays'],
  ],
  'pairs.ts': [
    [
      'prompt && !holds(said, prompt) ? [...prompt, ...said] : said',
      'prompt ? [...prompt, ...said] : said',
      'the question is asked twice',
    ],
    ["if (whole[0]?.role === 'assistant')", 'if (false)', 'replies to nothing'],
    ["if (whole.at(-1)?.role !== 'assistant')", 'if (false)', 'pairs without a reply'],
    ["tool: 'user'", "tool: 'assistant'", 'answers of tools are learned'],
    ['Number.isFinite(margin)', 'true', 'a margin of NaN'],
  ],
  'tasks/items.ts': [
    ["keys === 'own' ? {} : { session_id: number }", "keys === 'own' ? { session_id: number } : {}", 'the wrong key'],
    ["name.replace(/_\\d+$/, '')", 'name', 'a second server is another environment'],
    ['number >= 0 ? number', 'number > 0 ? number', 'there is no task 0'],
    ["value === 'string' && /^\\d+$/.test(value)", "value === 'string' && false", 'numbers as texts are none'],
  ],
});
