/** The first line of an observation: every open tab with its title. */
export function tabLine(titles: readonly string[], current: number): string {
  return titles.map((title, tab) => `Tab ${tab}${tab === current ? ' (current)' : ''}: ${title}`).join(' | ');
}

/** An observation as the agent reads it before the prompt's template is filled. */
export function withTabs(titles: readonly string[], current: number, page: string): string {
  return `${tabLine(titles, current)}\n\n${page}`;
}
