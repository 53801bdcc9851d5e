"""Searches as WebShop does it: pyserini's LuceneSearcher over an index of its own making; CPU seconds of this thread.

arguments: documents file ("id base64" lines), k, seconds, warm-up searches; queries as base64 lines on stdin
prints:    searches and seconds with the reading of the stored documents, as WebShop reads them; then without
needs:     pip install --no-deps pyserini==0.17.0 (WebShop's version) pyjnius numpy tqdm; Java in JAVA_HOME
"""
import base64, importlib.abc, importlib.machinery, json, os, runpy, sys, tempfile, time, types


class StandIn(types.ModuleType):
    """pyserini imports its neural encoders with everything else; a BM25 search never calls them."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in NEURAL or name.startswith(("pyserini.encode", "pyserini.search.faiss")):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


NEURAL = {"torch", "transformers", "spacy", "sklearn", "sentencepiece", "onnxruntime", "faiss", "pandas", "scipy", "yaml"}
sys.meta_path.insert(0, Finder())

documents, k, seconds, warm = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
queries = [base64.b64decode(line).decode() for line in sys.stdin if line.strip()]
folder = tempfile.mkdtemp()
os.makedirs(f"{folder}/docs")
with open(documents) as source, open(f"{folder}/docs/documents.jsonl", "w") as target:
    for line in source:
        name, _, text = line.strip().partition(" ")
        target.write(json.dumps({"id": name, "contents": base64.b64decode(text).decode()}) + "\n")
arguments = ["--collection", "JsonCollection", "--input", f"{folder}/docs", "--index", f"{folder}/index", "--generator",
             "DefaultLuceneDocumentGenerator", "--threads", "1", "--storePositions", "--storeDocvectors", "--storeRaw"]
sys.argv = ["index", *arguments]
runpy.run_module("pyserini.index.lucene", run_name="__main__")
from pyserini.search.lucene import LuceneSearcher  # noqa: E402

searcher = LuceneSearcher(f"{folder}/index")


def search(query):
    return searcher.search(query, k=k)


def search_and_read(query):
    return [json.loads(searcher.doc(hit.docid).raw())["id"] for hit in search(query)]


for way in (search_and_read, search):
    for i in range(warm):
        way(queries[i % len(queries)])
    start, count = time.thread_time(), 0
    while time.thread_time() - start < seconds:
        way(queries[count % len(queries)])
        count += 1
    print(count, time.thread_time() - start, flush=True)
