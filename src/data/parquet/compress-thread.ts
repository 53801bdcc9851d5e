/** The main file of the thread that compresses pages of large parquet files. */
import { parentPort } from 'node:worker_threads';
import { snappyCompress } from './snappy.ts';

parentPort?.on('message', (page: Uint8Array) => {
  const packed = snappyCompress(page);
  parentPort?.postMessage(packed, [packed.buffer]);
});
