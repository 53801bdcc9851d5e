/** All pages of docs/reference, by their file names. */
import { commandsPage } from './commands.ts';
import { errorsPage } from './errors.ts';
import { httpPage } from './http.ts';
import { libraryPages } from './library-pages.ts';
import { metricsPage } from './metrics.ts';
import { recipesPage } from './recipes.ts';

export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['recipes.md', recipesPage().page],
    ['commands.md', await commandsPage()],
    ['errors.md', errorsPage()],
    ['http.md', await httpPage()],
    ...libraryPages(),
    ['metrics.md', metricsPage('en')],
    ['metrics.zh-CN.md', metricsPage('zh')],
  ]);
}
