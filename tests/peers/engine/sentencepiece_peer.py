# Trains a SentencePiece model on the texts of a request (one JSON object on stdin), gives its pieces as a GGUF file stores them, and the
# ids of the texts: with and without the space before the text, and what the tokenizers library makes of a tokenizer.json, where one is given.
import io
import json
import sys

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as protocol
from tokenizers import Tokenizer

request = json.load(sys.stdin)
texts = request["texts"]
if "tokenizer" in request:
    tokenizer = Tokenizer.from_str(json.dumps(request["tokenizer"]))
    print(json.dumps([tokenizer.encode(text, add_special_tokens=False).ids for text in texts]))
    sys.exit()

model = io.BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(request["training"]),
    model_writer=model,
    model_type="bpe",
    vocab_size=request["vocabulary"],
    byte_fallback=True,
    character_coverage=0.98,
    normalization_rule_name="identity",
    remove_extra_whitespaces=False,
    user_defined_symbols=request["symbols"],
    minloglevel=2,
)
proto = protocol.ModelProto()
proto.ParseFromString(model.getvalue())
ids = {}
for name, prefix in (("prefixed", True), ("bare", False)):
    proto.normalizer_spec.add_dummy_prefix = prefix
    ids[name] = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString()).encode(texts)
print(json.dumps({"pieces": [[one.piece, one.score, one.type] for one in proto.pieces], **ids}))
