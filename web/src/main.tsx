/** Entry of the page: finds out where its data comes from (a server, or the report inside this file) and shows it. */
import './locale.ts';
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import { App } from './app.tsx';
import { href } from './route.ts';
import { findSource } from './source.ts';
import './style/theme.css';
import './style/frame.css';
import './style/lists.css';
import './style/episode.css';
import './style/metrics.css';

const root = document.getElementById('app');
if (root) {
  findSource().then(
    (source) => {
      if (source.home !== undefined && location.hash === '') history.replaceState(null, '', href(['run', source.home]));
      render(<App source={source} />, root);
    },
    (error: unknown) => {
      root.textContent = `This report cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
    },
  );
}
