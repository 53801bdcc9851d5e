/** Some systems give browsers a language tag that Intl refuses ("en-US@posix"); the chart library then fails to load. Imported first. */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
