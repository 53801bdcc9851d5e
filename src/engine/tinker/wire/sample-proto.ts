/** SampleResponse in protobuf. What is read and written again gives the same bytes. */
import { bytesOf, floatsOf, numbersOf } from './arrays.ts';
import type { SampledSequence, SampleOutput, TopLogprobs } from './messages.ts';
import { broken, protoFields, ProtoWriter } from './protobuf.ts';

export function encodeSampleOutput(output: SampleOutput): Uint8Array {
  const writer = new ProtoWriter();
  for (const { stop, tokens, logprobs } of output.sequences) {
    writer.message(1, (sequence) => {
      if (stop === 'length') sequence.varint(1, 1);
      if (tokens.length > 0) sequence.bytes(2, bytesOf('int32', tokens));
      if (logprobs) sequence.bytes(3, bytesOf('float32', logprobs));
    });
  }
  if (output.promptLogprobs) writer.bytes(2, bytesOf('float32', output.promptLogprobs));
  const top = output.topPromptLogprobs;
  if (top) {
    writer.message(3, (inner) => {
      inner.bytes(1, bytesOf('int32', top.tokens)).bytes(2, bytesOf('float32', top.logprobs));
      inner.varint(3, top.k).varint(4, top.k === 0 ? 0 : top.tokens.length / top.k);
    });
  }
  if (output.cachedTokens > 0) writer.varint(4, output.cachedTokens);
  return writer.finish();
}

export function decodeSampleOutput(bytes: Uint8Array): SampleOutput {
  const sequences: SampledSequence[] = [];
  let promptLogprobs: Float32Array | undefined;
  let topPromptLogprobs: TopLogprobs | undefined;
  let cachedTokens = 0;
  for (const field of protoFields(bytes)) {
    if (field.number === 1) sequences.push(readSequence(field.bytes));
    else if (field.number === 2) promptLogprobs = floatsOf(field.bytes);
    else if (field.number === 3) topPromptLogprobs = readTop(field.bytes);
    else if (field.number === 4) cachedTokens = field.value;
  }
  return {
    sequences,
    ...(promptLogprobs && { promptLogprobs }),
    ...(topPromptLogprobs && { topPromptLogprobs }),
    cachedTokens,
  };
}

function readSequence(bytes: Uint8Array): SampledSequence {
  let stop: SampledSequence['stop'] = 'stop';
  let tokens: Float64Array = new Float64Array();
  let logprobs: Float32Array | undefined;
  for (const field of protoFields(bytes)) {
    if (field.number === 1) stop = field.value === 0 ? 'stop' : 'length';
    else if (field.number === 2) tokens = numbersOf(field.bytes, 'int32');
    else if (field.number === 3) logprobs = floatsOf(field.bytes);
  }
  return { stop, tokens, ...(logprobs && { logprobs }) };
}

function readTop(bytes: Uint8Array): TopLogprobs {
  let k = 0;
  let tokens: Float64Array = new Float64Array();
  let logprobs: Float32Array = new Float32Array();
  for (const field of protoFields(bytes)) {
    if (field.number === 1) tokens = numbersOf(field.bytes, 'int32');
    else if (field.number === 2) logprobs = floatsOf(field.bytes);
    else if (field.number === 3) k = field.value;
  }
  if (tokens.length !== logprobs.length) throw broken('the likeliest tokens and their log-probabilities differ in number');
  return { k, tokens, logprobs };
}
