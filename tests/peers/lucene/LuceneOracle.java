// Lucene itself, asked from a test: how the analyzer cuts a text, and which documents a bag of words finds, in the
// configuration that pyserini gives it (k1 0.9, b 0.4, ties by document id). Lines in, lines out, texts as base64.
//   analyze            per input line: the terms, base64, separated by blanks
//   tokenize           the same for the bare StandardTokenizer
//   search  <docs> <k> docs: a file of "id base64" lines; per input line "id:score-bits" of the top k
//   bench   <docs> <k> <seconds> <warm-up searches>   searches all lines round and round; prints searches and CPU seconds
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.*;
import org.apache.lucene.analysis.en.*;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

public class LuceneOracle {
  static final Analyzer ENGLISH = new Analyzer() {
    @Override protected TokenStreamComponents createComponents(String field) {
      Tokenizer source = new StandardTokenizer();
      TokenStream chain = new LowerCaseFilter(new EnglishPossessiveFilter(source));
      chain = new PorterStemFilter(new StopFilter(chain, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET));
      return new TokenStreamComponents(source, chain);
    }
  };
  static final Analyzer BARE = new Analyzer() {
    @Override protected TokenStreamComponents createComponents(String field) {
      return new TokenStreamComponents(new StandardTokenizer());
    }
  };
  static final Sort BY_SCORE_THEN_ID = new Sort(SortField.FIELD_SCORE, new SortField("id", SortField.Type.STRING_VAL));

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    if (args[0].equals("analyze") || args[0].equals("tokenize")) {
      Analyzer analyzer = args[0].equals("analyze") ? ENGLISH : BARE;
      for (String line; (line = in.readLine()) != null; ) {
        StringJoiner joined = new StringJoiner(" ");
        for (String term : terms(analyzer, text(line))) joined.add(Base64.getEncoder().encodeToString(term.getBytes(StandardCharsets.UTF_8)));
        out.println(joined);
      }
    } else {
      IndexSearcher searcher = index(Path.of(args[1]));
      int k = Integer.parseInt(args[2]);
      if (args[0].equals("search")) {
        for (String line; (line = in.readLine()) != null; ) out.println(answer(searcher, text(line), k));
      } else {
        List<String> queries = new ArrayList<>();
        for (String line; (line = in.readLine()) != null; ) queries.add(text(line));
        // Counted in CPU time of this thread, so that other work on the machine does not count against Lucene.
        java.lang.management.ThreadMXBean clock = java.lang.management.ManagementFactory.getThreadMXBean();
        for (int i = 0; i < Integer.parseInt(args[4]); i++) search(searcher, queries.get(i % queries.size()), k);
        long start = clock.getCurrentThreadCpuTime(), span = (long) (Double.parseDouble(args[3]) * 1e9), count = 0;
        while (clock.getCurrentThreadCpuTime() - start < span)
          for (int i = 0; i < 20; i++) search(searcher, queries.get((int) (count++ % queries.size())), k);
        out.println(count + " " + (clock.getCurrentThreadCpuTime() - start) / 1e9);
      }
    }
    out.flush();
  }

  static String text(String line) {
    return new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
  }

  static List<String> terms(Analyzer analyzer, String text) throws IOException {
    List<String> list = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream("contents", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) list.add(term.toString());
      stream.end();
    }
    return list;
  }

  static IndexSearcher index(Path docs) throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(ENGLISH).setSimilarity(new BM25Similarity(0.9f, 0.4f));
    try (IndexWriter writer = new IndexWriter(directory, config); BufferedReader reader = Files.newBufferedReader(docs)) {
      for (String line; (line = reader.readLine()) != null; ) {
        String[] parts = line.split(" ", 2);
        Document document = new Document();
        document.add(new StringField("id", parts[0], Field.Store.YES));
        document.add(new BinaryDocValuesField("id", new BytesRef(parts[0])));
        document.add(new TextField("contents", text(parts.length > 1 ? parts[1] : ""), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(new BM25Similarity(0.9f, 0.4f));
    searcher.setQueryCache(null);
    return searcher;
  }

  static TopDocs search(IndexSearcher searcher, String text, int k) throws IOException {
    Map<String, Integer> counts = new HashMap<>();
    for (String term : terms(ENGLISH, text)) counts.merge(term, 1, Integer::sum);
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Map.Entry<String, Integer> entry : counts.entrySet())
      builder.add(new BoostQuery(new TermQuery(new Term("contents", entry.getKey())), entry.getValue()), BooleanClause.Occur.SHOULD);
    return searcher.search(builder.build(), k, BY_SCORE_THEN_ID, true);
  }

  static String answer(IndexSearcher searcher, String text, int k) throws IOException {
    StringJoiner joined = new StringJoiner(" ");
    StoredFields stored = searcher.storedFields();
    for (ScoreDoc hit : search(searcher, text, k).scoreDocs)
      joined.add(stored.document(hit.doc).get("id") + ":" + Integer.toHexString(Float.floatToIntBits(hit.score)));
    return joined.toString();
  }
}
