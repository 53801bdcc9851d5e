/** What is said of records that are no rows. */
import { AgogeError } from '../../core/error.ts';
import type { Format } from './format.ts';
import { recognise } from './formats.ts';

export function unknownFormat(file: string, record: unknown): AgogeError {
  const keys = typeof record === 'object' && record !== null ? Object.keys(record).slice(0, 8).join(', ') : typeof record;
  return new AgogeError(
    'DATA_UNKNOWN_FORMAT',
    `${file}: row 1 (${keys || 'empty'}) is in no format known here: name one with --from, or see "agoge data --help" for the list`,
  );
}

export function badRow(file: string, number: number, format: Format, record: unknown, thrown: unknown): AgogeError {
  const other = recognise(record, format.extension === '.parquet');
  const mixed =
    other && other.name !== format.name ? `; it looks like ${other.name}: keep one format per file` : ': correct or remove it';
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgogeError('DATA_BAD_ROW', `${file}: row ${number} is not a row of ${format.name} (${detail})${mixed}`, {
    cause: thrown,
  });
}
