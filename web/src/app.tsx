/** The frame of the page: header, language, theme, and which page is shown. */
import { useEffect, useState } from 'preact/hooks';
import { LanguageContext, preferredLanguage, usePhrases, type Language, type Phrase } from './language.ts';
import { ComparePage } from './pages/compare.tsx';
import { EpisodePage } from './pages/episode.tsx';
import { EpisodesPage } from './pages/episodes.tsx';
import { EvaluationsPage } from './pages/evaluations.tsx';
import { GroupsPage } from './pages/groups.tsx';
import { MetricsPage } from './pages/metrics.tsx';
import { PlayPage } from './pages/play.tsx';
import { LogPage, RecipePage } from './pages/recipe.tsx';
import { RunPage } from './pages/run.tsx';
import { RunsPage } from './pages/runs.tsx';
import { Boundary } from './components/boundary.tsx';
import { Cut } from './components/cut.tsx';
import { href, useRoute, type Route } from './route.ts';
import type { Source } from './source.ts';

const themes = ['automatic', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const signs: Readonly<Record<Theme, string>> = { automatic: '◐', light: '○', dark: '●' };

export function App({ source }: { readonly source: Source }) {
  const [language, setLanguage] = useState<Language>(preferredLanguage);
  const [theme, setTheme] = useState<Theme>(keptTheme);
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    keep('agoge.language', language);
  }, [language]);
  useEffect(() => {
    keep('agoge.theme', theme);
    return wear(theme);
  }, [theme]);
  const route = useRoute();
  return (
    <LanguageContext.Provider value={language}>
      <Header
        route={route}
        book={source.book?.[language]}
        theme={theme}
        nextTheme={() => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'automatic')}
        otherLanguage={() => setLanguage(language === 'zh' ? 'en' : 'zh')}
      />
      <Main route={route} source={source} />
    </LanguageContext.Provider>
  );
}

interface PageProps {
  readonly route: Route;
  readonly source: Source;
}

function Main({ route, source }: PageProps) {
  const t = usePhrases();
  return (
    <main id="content" tabIndex={-1}>
      <Boundary key={location.hash} title={t('The page failed:')}>
        <Page route={route} source={source} />
      </Boundary>
    </main>
  );
}

interface HeaderProps {
  readonly route: Route;
  /** Address of the book, where this page stands beside it. */
  readonly book: string | undefined;
  readonly theme: Theme;
  readonly nextTheme: () => void;
  readonly otherLanguage: () => void;
}

function Header({ route, book, theme, nextTheme, otherLanguage }: HeaderProps) {
  const t = usePhrases();
  const [page, run] = route.path;
  useEffect(() => {
    document.title = titleOf(route, t);
  }, [route, t]);
  return (
    <header class="top">
      <a class="skip" href="#content" onClick={skipToContent}>
        {t('Skip to content')}
      </a>
      <a class="brand" href={href([])}>
        Agoge
      </a>
      <nav aria-label={t('Runs')}>
        {book !== undefined && <a href={book}>{t('Docs')}</a>}
        <a href={href([])} aria-current={page === undefined ? 'page' : undefined}>
          {t('Runs')}
        </a>
        <a href={href(['play'])} aria-current={page === 'play' ? 'page' : undefined}>
          {t('Play')}
        </a>
        {page === 'run' && run !== undefined && (
          <span class="where">
            <Cut text={run} />
          </span>
        )}
      </nav>
      <button type="button" onClick={nextTheme} aria-label={t(`Theme: ${theme}`)} title={t(`Theme: ${theme}`)}>
        <span aria-hidden="true">{signs[theme]}</span> <span class="wide">{t(`Theme: ${theme}`)}</span>
      </button>
      <button type="button" onClick={otherLanguage}>
        {t('中文')}
      </button>
    </header>
  );
}

function Page({ route, source }: PageProps) {
  const t = usePhrases();
  const [page, id, section, place] = route.path;
  if (page === undefined) return <RunsPage source={source} />;
  if (page === 'compare') return <ComparePage source={source} query={route.query} />;
  if (page === 'metrics') return <MetricsPage query={route.query} />;
  if (page === 'play') return <PlayPage route={route} source={source} />;
  if (page === 'run' && id !== undefined) {
    if (section === undefined) return <RunPage source={source} id={id} query={route.query} />;
    if (section === 'episodes') return <EpisodesPage source={source} id={id} query={route.query} />;
    if (section === 'episode' && place !== undefined)
      return <EpisodePage source={source} id={id} place={place} query={route.query} />;
    if (section === 'groups') return <GroupsPage source={source} id={id} query={route.query} />;
    if (section === 'evaluations') return <EvaluationsPage source={source} id={id} />;
    if (section === 'recipe') return <RecipePage source={source} id={id} query={route.query} />;
    if (section === 'log') return <LogPage source={source} id={id} />;
  }
  return <p class="empty">{t('There is no such page.')}</p>;
}

const sections: Readonly<Record<string, Phrase>> = {
  episodes: 'Episodes',
  groups: 'Groups',
  evaluations: 'Evaluations',
  recipe: 'Recipe',
  log: 'Log',
};

/** What a tab of the browser is called: the place first, because the end is cut off. */
function titleOf({ path: [page, id, section, place], query }: Route, t: (phrase: Phrase) => string): string {
  if (page === 'run' && id !== undefined) {
    const part = section === undefined ? undefined : sections[section];
    const name = id.split('/').at(-1) ?? id;
    return [place, name, part && t(part), 'Agoge'].filter((word) => word !== undefined).join(' · ');
  }
  if (page === 'play') return [query.get('task'), t('Play'), 'Agoge'].filter((word) => word !== null).join(' · ');
  return `${t(page === 'compare' ? 'Compare' : page === 'metrics' ? 'What the metrics mean' : 'Runs')} · Agoge`;
}

function skipToContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** Puts the theme on the page, the system's where none was chosen, and tells the charts. Returns how to stop following. */
function wear(theme: Theme): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = (): void => {
    document.documentElement.dataset['theme'] = theme === 'automatic' ? (system.matches ? 'dark' : 'light') : theme;
    dispatchEvent(new Event('agoge-theme'));
  };
  show();
  system.addEventListener('change', show);
  return () => system.removeEventListener('change', show);
}

function keptTheme(): Theme {
  const kept = localStorage.getItem('agoge.theme');
  return themes.find((theme) => theme === kept) ?? 'automatic';
}

/** Storage can be off (a report opened from disk in a strict browser); the choice then lasts as long as the page. */
function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}
