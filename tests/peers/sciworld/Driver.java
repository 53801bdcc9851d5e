// The peer of tests/peers/sciworld/sciworld.test.ts and bench/environments/sciworld.ts: the original simulator behind a pipe. Reads one
// request a line, its fields separated by tabs (load, step, valid, cpu), and answers with one line of JSON. Started as a single source
// file.
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Collectors;
import scienceworld.runtime.pythonapi.PythonInterface;

public class Driver {
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    PythonInterface world = new PythonInterface();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] field = line.split("\t", -1);
      switch (field[0]) {
        case "load":
          String error = world.load(field[1], Integer.parseInt(field[2]), field[3], false);
          out.println("{\"error\":" + quoted(error) + ",\"description\":" + quoted(world.getTaskDescription()) + "}");
          break;
        case "step":
          String observation = world.step(field[1]);
          out.println(
              "{\"observation\":" + quoted(observation) + ",\"score\":" + world.getScore()
                  + ",\"isCompleted\":" + world.getCompleted() + ",\"moves\":" + world.getNumMoves() + "}");
          break;
        case "valid":
          out.println(list(world.getValidActionObjectCombinations()));
          break;
        case "cpu":
          var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
          out.println(system.getProcessCpuTime() / 1e9);
          break;
        default:
          out.println("null");
      }
      out.flush();
    }
  }

  static String list(List<String> texts) {
    return texts.stream().map(Driver::quoted).collect(Collectors.joining(",", "[", "]"));
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < 32) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    return out.append('"').toString();
  }
}
