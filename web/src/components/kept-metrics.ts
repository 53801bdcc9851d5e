/** The metrics that a person has asked for by name, kept by the browser. */
const key = 'agoge.metrics';

export function keptMetrics(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function keepMetrics(names: readonly string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(names));
  } catch {
    return; // Storage is off: the choice lasts as long as the page.
  }
}
