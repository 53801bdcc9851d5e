/** The pages of the project and the commands they show, with the line each one stands on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Shown {
  readonly page: string;
  readonly line: number;
  readonly command: string;
}

/** README, CONTRIBUTING and the guides, in every language. */
export function pages(): string[] {
  const guides = ['docs', 'docs/results'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  return ['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', ...guides];
}

/** Lines of shell blocks, lines of unmarked blocks that begin with `agoge`, and commands between backticks in the text. */
export function commandsOf(page: string): Shown[] {
  const found: Shown[] = [];
  let fence: string | undefined;
  readFileSync(join(root, page), 'utf8')
    .split('\n')
    .forEach((text, index) => {
      const add = (command: string): void => void found.push({ page, line: index + 1, command: plain(command) });
      const last = found.at(-1);
      if (fence !== undefined && last?.command.endsWith('\\') === true) {
        found[found.length - 1] = { ...last, command: plain(`${last.command.slice(0, -1).trim()} ${text.trim()}`) };
        return;
      }
      const mark = /^\s*```(\w*)/.exec(text);
      if (mark) fence = fence === undefined ? mark[1] : undefined;
      else if (fence === undefined) {
        for (const [, command = ''] of text.matchAll(/`((?:npx )?agoge [^`]+)`/g)) add(command);
      } else if (/^(bash|sh)?$/.test(fence)) {
        const line = text.trim();
        if (/^(?:[A-Z_]+=\S+ )?(?:npx )?agoge /.test(line) || (fence !== '' && line !== '' && !line.startsWith('#'))) add(line);
      }
    });
  return found;
}

/** Without the comment behind it; guides put it after two blanks or a #. */
function plain(command: string): string {
  return (
    command
      .replace(/^npx /, '')
      .split(/\s{2,}|\s+#\s/)[0]
      ?.trim() ?? ''
  );
}
