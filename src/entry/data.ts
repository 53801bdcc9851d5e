/** `agoge/data`: AgentGym JSON, verl parquet and chat JSONL: read row by row, convert, check, write; and the episodes of runs. */
export type { ConversationRow, DataMessage, PlacedRow, Row, TaskRow } from '../data/rows.ts';
export { dataFiles, readConversations, readRows, type BadRow, type ReadOptions, type ReadRow } from '../data/read.ts';
export { convertRow, type ConvertOptions } from '../data/convert.ts';
export type { Format, FormatName } from '../data/formats/format.ts';
export { formatNamed, formats, recognise } from '../data/formats/formats.ts';
export { inspectFile, type Inspection } from '../data/inspect.ts';
export { validateFile, type Validation } from '../data/validate.ts';
export { RowWriter } from '../data/write.ts';
export { readEpisodes } from '../run/episode-files.ts';
export { episodeRecord, parseEpisodeRecord, type EpisodeRecord } from '../run/episode-record.ts';
