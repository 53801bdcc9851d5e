"""Searches as WebShop does it: pyserini's LuceneSearcher over an index of its own making; CPU seconds of this process.

arguments: documents file ("id base64" lines), k, seconds, warm-up searches; queries as base64 lines on stdin
"""
import base64, json, os, subprocess, sys, tempfile, time

documents, k, seconds, warm = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
queries = [base64.b64decode(line).decode() for line in sys.stdin if line.strip()]
folder = tempfile.mkdtemp()
os.makedirs(f"{folder}/docs")
with open(documents) as source, open(f"{folder}/docs/documents.jsonl", "w") as target:
    for line in source:
        name, _, text = line.strip().partition(" ")
        target.write(json.dumps({"id": name, "contents": base64.b64decode(text).decode()}) + "\n")
subprocess.run(
    [sys.executable, "-m", "pyserini.index.lucene", "--collection", "JsonCollection", "--input", f"{folder}/docs", "--index",
     f"{folder}/index", "--generator", "DefaultLuceneDocumentGenerator", "--threads", "1", "--storePositions",
     "--storeDocvectors", "--storeRaw"],
    check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
)
from pyserini.search.lucene import LuceneSearcher  # noqa: E402

searcher = LuceneSearcher(f"{folder}/index")


def search(query):
    hits = searcher.search(query, k=k)
    return [json.loads(searcher.doc(hit.docid).raw())["id"] for hit in hits]


for i in range(warm):
    search(queries[i % len(queries)])
start, count = time.thread_time(), 0
while time.thread_time() - start < seconds:
    search(queries[count % len(queries)])
    count += 1
print(count, time.thread_time() - start)
